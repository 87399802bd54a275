/* What objects of other compilers call, and this library has not: the linker says the sentence where it finds that
 * the symbol is not there.  The section is one that GNU ld and gold look for in libraries too. */
#ifndef COPAL_CAF_OTHER_COMPILERS_H
#define COPAL_CAF_OTHER_COMPILERS_H

#define CAF_CALLED_BY_OTHERS(SYMBOL, COMPILER) __asm__(".pushsection .gnu.warning." #SYMBOL ",\"\",%progbits\n.asciz " \
    "\"compiled by " COMPILER ", and linked for another compiler: use one, and its coarray library\"\n.popsection")

#endif
