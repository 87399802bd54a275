#include "local.h"

#include <string.h>

int prif_stat(int status)
{
    switch (status) {
    case CAF_OK: return 0;
    case CAF_STAT_LOCKED: return PRIF_STAT_LOCKED;
    case CAF_STAT_LOCKED_OTHER_IMAGE: return PRIF_STAT_LOCKED_OTHER_IMAGE;
    case CAF_STAT_UNLOCKED: return PRIF_STAT_UNLOCKED;
    case CAF_STAT_STOPPED_IMAGE: return PRIF_STAT_STOPPED_IMAGE;
    case CAF_STAT_FAILED_IMAGE: return PRIF_STAT_FAILED_IMAGE;
    case CAF_STAT_UNLOCKED_FAILED_IMAGE: return PRIF_STAT_UNLOCKED_FAILED_IMAGE;
    case PRIF_STAT_OUT_OF_MEMORY:
    case PRIF_STAT_ALREADY_INIT: return status;
    default: return PRIF_STAT_ERROR;
    }
}

void prif_report_slowly(int status, PRIF_ERRORS)
{
    const char *sentence = caf_message();
    const size_t length = strlen(sentence);
    if (errmsg_alloc && stat)
        prif_assign("errmsg_alloc", errmsg_alloc, sentence, 1, length);
    caf_report(status, stat, errmsg ? errmsg->base : NULL, errmsg ? errmsg->element_bytes : 0);
    if (stat)
        *stat = prif_stat(status);
}
