/* GCC's headers, in an order in which they compile from version 12 to 16. */
#ifndef COPAL_CAF_PLUGIN_GCC_H
#define COPAL_CAF_PLUGIN_GCC_H

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <gcc-plugin.h>
#include <plugin-version.h>
#include <context.h>
#include <tree.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-walk.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <gimple-pretty-print.h>
#include <tree-pass.h>
#include <pass_manager.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <cfghooks.h>
#include <cfgloop.h>
#include <tree-dfa.h>
#include <tree-into-ssa.h>
#include <tree-ssanames.h>
#include <fold-const.h>
#include <stor-layout.h>
#include <stringpool.h>
#include <attribs.h>
#include <cgraph.h>
#include <alias.h>
#include <diagnostic-core.h>
#include <tree-ssa-loop.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop-ivopts.h>
#include <tree-scalar-evolution.h>
#include <tree-chrec.h>
#include <gimple-fold.h>

#endif
