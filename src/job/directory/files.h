/* Files "copal.NAME" of the folder. */
#ifndef COPAL_DIRECTORY_FILES_H
#define COPAL_DIRECTORY_FILES_H

#include "job/directory/directory.h"

/* NULL, or a sentence that says why the folder will not do. */
const char *files_begin(int pe);

/* The folder, for sentences. */
const char *files_folder(void);

/* Replaces the file.  One thread at a time. NULL, or a sentence. */
const char *files_write(const char *name, const void *bytes, size_t n);

/* Its bytes, at most room of them, and how many; 0 if there is no such file. */
size_t files_read(const char *name, void *bytes, size_t room);

void files_remove(const char *name);

#endif
