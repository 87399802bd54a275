/* Symbols that objects of other compilers call, and that this library does not have: if the linker does not find the
 * symbol, it prints the sentence. GNU ld and gold look for this section in libraries too. */
#pragma once

#define CAF_CALLED_BY_OTHERS(SYMBOL, COMPILER) __asm__(".pushsection .gnu.warning." #SYMBOL ",\"\",%progbits\n.asciz " \
    "\"compiled by " COMPILER ", and linked for another compiler: use one, and its coarray library\"\n.popsection")
