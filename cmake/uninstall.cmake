# make uninstall: removes from the prefix the files that this build tree installed, and then the empty folders.
# usage: cmake -D BUILD=build -D PREFIX=/usr/local -P cmake/uninstall.cmake, with DESTDIR in the environment as for
# install
set(list ${BUILD}/installed_files.txt)
if(NOT EXISTS ${list})
    message(FATAL_ERROR "there is no ${list}, which make install writes: install to ${PREFIX} again, then uninstall")
endif()
set(prefix "$ENV{DESTDIR}${PREFIX}")
file(STRINGS ${list} files)

set(folders "")
set(removed 0)
foreach(file IN LISTS files)
    if(EXISTS "${prefix}/${file}" OR IS_SYMLINK "${prefix}/${file}")
        math(EXPR removed "${removed} + 1")
        file(REMOVE "${prefix}/${file}")
    endif()
    cmake_path(GET file PARENT_PATH folder)
    while(NOT folder STREQUAL "")
        list(APPEND folders "${folder}")
        cmake_path(GET folder PARENT_PATH folder)
    endwhile()
endforeach()

# In descending order a folder comes after the folders in it.
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
    file(GLOB left "${prefix}/${folder}/*" "${prefix}/${folder}/.*")
    if(IS_DIRECTORY "${prefix}/${folder}" AND NOT IS_SYMLINK "${prefix}/${folder}" AND NOT left)
        file(REMOVE_RECURSE "${prefix}/${folder}")
    endif()
endforeach()

if(removed EQUAL 0)
    message("nothing was removed: ${prefix} has none of the files that make install wrote last, listed in ${list}; is "
        "PREFIX or DESTDIR different?")
else()
    message("${removed} files are removed from ${prefix}")
endif()
