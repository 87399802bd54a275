/* Stands in for the engine until it is merged: jobs of one node never come here. */
#include "net/net.h"
#include <stdlib.h>
struct net net;
struct net_context *net_default;
struct net_context *net_context_open(long o){(void)o;abort();}
void net_context_close(struct net_context *c){(void)c;abort();}
void net_context_batch(struct net_context *c,bool b){(void)c,(void)b;abort();}
void net_put(struct net_context *c,int pe,place to,const void*s,size_t b,enum net_mode m){(void)c,(void)pe,(void)to,(void)s,(void)b,(void)m;abort();}
void net_get(struct net_context *c,int pe,void*d,place f,size_t b,enum net_mode m){(void)c,(void)pe,(void)d,(void)f,(void)b,(void)m;abort();}
void net_put_strided(struct net_context *c,int pe,place to,const void*s,const struct net_strided*x){(void)c,(void)pe,(void)to,(void)s,(void)x;abort();}
void net_get_strided(struct net_context *c,int pe,void*d,place f,const struct net_strided*x){(void)c,(void)pe,(void)d,(void)f,(void)x;abort();}
void net_amo_post(struct net_context *c,enum amo o,int pe,place w,size_t s,uint64_t v){(void)c,(void)o,(void)pe,(void)w,(void)s,(void)v;abort();}
uint64_t net_amo(struct net_context *c,enum amo o,int pe,place w,size_t s,uint64_t v,uint64_t q){(void)c,(void)o,(void)pe,(void)w,(void)s,(void)v,(void)q;abort();}
void net_amo_nbi(struct net_context *c,enum amo o,void*f,int pe,place w,size_t s,uint64_t v,uint64_t q){(void)f,(void)c,(void)o,(void)pe,(void)w,(void)s,(void)v,(void)q;abort();}
void net_put_signal(struct net_context *c,int pe,place to,const void*s,size_t b,place g,enum amo o,uint64_t v,enum net_mode m){(void)c,(void)pe,(void)to,(void)s,(void)b,(void)g,(void)o,(void)v,(void)m;abort();}
void net_fence(struct net_context *c){(void)c;abort();}
void net_quiet(struct net_context *c){(void)c;abort();}
void net_quiet_all(void){abort();}
void net_quiet_pe(struct net_context *c,int pe){(void)c,(void)pe;abort();}
void net_progress(void){abort();}
int net_read_private(int pe,void*d,uint64_t t,size_t b){(void)pe,(void)d,(void)t,(void)b;abort();}
int net_write_private(int pe,uint64_t t,const void*s,size_t b){(void)pe,(void)s,(void)t,(void)b;abort();}
void net_start(void){}
void net_run(void){}
void net_stop(void){}
void net_alert(int pe){(void)pe;}
int net_pe_state(int pe){(void)pe;return 0;}
