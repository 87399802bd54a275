/* The version of Copal, which the build, the tools and the packages read here.
 *
 *     #if defined COPAL_VERSION_MAJOR && (COPAL_VERSION_MAJOR > 0 || COPAL_VERSION_MINOR >= 2)
 *
 * A library in use may be newer than the header: shmem_info_get_name returns the library's version. */
#ifndef COPAL_VERSION_H
#define COPAL_VERSION_H

#define COPAL_VERSION_MAJOR 0
#define COPAL_VERSION_MINOR 1
#define COPAL_VERSION_PATCH 0
#define COPAL_VERSION "0.1.0"

#endif
