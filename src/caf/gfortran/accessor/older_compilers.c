#include "../other_compilers.h"

CAF_CALLED_BY_OTHERS(_gfortran_caf_get, "gfortran 12 to 14");
CAF_CALLED_BY_OTHERS(_gfortran_caf_get_by_ref, "gfortran 12 to 14");
CAF_CALLED_BY_OTHERS(_gfortran_caf_is_present, "gfortran 12 to 14");
CAF_CALLED_BY_OTHERS(_gfortran_caf_send, "gfortran 12 to 14");
CAF_CALLED_BY_OTHERS(_gfortran_caf_send_by_ref, "gfortran 12 to 14");
CAF_CALLED_BY_OTHERS(_gfortran_caf_sendget, "gfortran 12 to 14");
CAF_CALLED_BY_OTHERS(_gfortran_caf_sendget_by_ref, "gfortran 12 to 14");
