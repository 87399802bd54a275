/* Symbols that objects of other compilers call and this library does not have: the linker prints the sentence when it
 * does not find the symbol. GNU ld and gold look for this section in libraries too. */
#pragma once

#define CAF_CALLED_BY_OTHERS(SYMBOL, COMPILER) __asm__(".pushsection .gnu.warning." #SYMBOL ",\"\",%progbits\n.asciz " \
    "\"compiled by " COMPILER ", and linked for another compiler: use one, and its coarray library\"\n.popsection")
