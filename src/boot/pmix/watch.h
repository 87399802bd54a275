/* The failure detector's thread. */
#pragma once

void watch_start(void (*died)(int pe, const char *why));
void watch_end(void);
