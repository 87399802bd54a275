#include "../other_compilers.h"

CAF_CALLED_BY_OTHERS(_gfortran_caf_get_from_remote, "gfortran 15 or 16");
CAF_CALLED_BY_OTHERS(_gfortran_caf_is_present_on_remote, "gfortran 15 or 16");
CAF_CALLED_BY_OTHERS(_gfortran_caf_register_accessors_finish, "gfortran 15 or 16");
CAF_CALLED_BY_OTHERS(_gfortran_caf_send_to_remote, "gfortran 15 or 16");
CAF_CALLED_BY_OTHERS(_gfortran_caf_transfer_between_remotes, "gfortran 15 or 16");
