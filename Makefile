# The commands of this project: `make help` lists them; CMake and Ninja do the work (CMakeLists.txt, CMakePresets.json).
PREFIX ?= /usr/local
NET_RUNS = --quick --fake 3,3 --fake 4,2,1 --mpirun 2,2 --mpirun 2,2,2
SLURM_RUNS = --quick --slurm 2,2 --slurm 2,2,2
# Tests with this many PEs in total run at the same time: five for each processor, as PEs mostly wait.
export CTEST_PARALLEL_LEVEL ?= $(shell expr 5 \* $$(nproc))

build:                                  ## library, tools, examples and applications, in build/
	@scripts/install-deps --have build || :
	cmake --preset release
	cmake --build build

demo: deps-build build                  ## install what is missing, build, say hello, run NAS IS class A and Himeno S
	build/bin/oshrun -n 4 build/examples/hello
	build/bin/oshrun -n 4 build/apps/is A
	@build/bin/caf --version >/dev/null || exit 0; set -ex; \
	build/bin/cafrun -n 4 build/examples/hello_caf; build/bin/cafrun -n 4 build/apps/himeno S
	@echo; echo 'All of this works. To call oshcc, oshrun, caf and cafrun by their names:'; \
	echo '    export PATH="$(CURDIR)/build/bin:$$PATH"'

# AGAIN="--repeat until-pass:2" repeats a failed test once.
presets = for preset in $(1); do cmake --preset $$preset && cmake --build --preset $$preset && \
        ctest --preset $$preset $(AGAIN) || exit; done

check: deps-check                       ## install what is missing; tests of each kind, sanitizer builds too: 12 minutes
	$(call presets,check check-asan check-tsan)

check-all: deps-check-all               ## the same with every test, and AArch64: an hour
	$(call presets,release asan tsan aarch64)

check-net: deps-net                     ## the tests as jobs that span nodes: hosts made of namespaces; needs root
	cmake --preset release && cmake --build --preset release
	scripts/check-net $(if $(CHECK_NET),$(CHECK_NET),$(NET_RUNS))

SEEDS ?= 200
FIRST ?= 1
check-disorder:                         ## the tests on emulated networks with random delays and order: SEEDS=200
	cmake --preset release && cmake --build --preset release && cmake --build build --target tests
	scripts/check-net --fake 2,2 --fabric disorder:$(FIRST)
	scripts/check-net --quick --fake 2,2 --fake 1,1,1,1 --fake 3,1 --fabric disorder:$(FIRST) --seeds $(SEEDS)

LATE_RUN = --late $(FIRST) --seeds $(LATE_SEEDS) --slice $(LATE_SLICE) \
        --only shcoll.back_to_back --only 'api.*' --only 'stress.*' --only 'caf.*'
LATE_SEEDS ?= 3
LATE_SLICE ?= 0/1
check-late:                             ## tests whose PEs stop and resume at random, by UCX and libfabric: LATE_SEEDS=3
	cmake --preset release && cmake --build --preset release && cmake --build build --target tests
	scripts/check-net --fake 4 --fake 3,3 --fake 4,2,1 $(LATE_RUN)
	SHMEM_NET=ofi scripts/check-net --fake 3,3 --fake 4,2,1 $(LATE_RUN)

check-failures: deps-net                ## kill PEs, launchers, daemons, cut links of jobs on 3 hosts: all must end
	cmake --preset release && cmake --build --preset release
	scripts/check-net --failures

check-races: build                      ## each rule of tests/races in jobs of its own; no race in examples, apps, api
	for source in tests/races/*.c tests/races/*.cpp tests/races/*.f90; do \
	    tests/races/verdicts.py --oshrun build/bin/oshrun --each $$source || exit; done
	for group in examples apps api; do tests/races/silent.py --oshrun build/bin/oshrun $$group || exit; done

check-mutations: deps-check              ## remove each rule of order once: tests must notice; an hour or more
	scripts/mutate

FUZZ_SECONDS ?= 120
fuzz: deps-check                        ## random inputs for parsers and messages of the network: FUZZ_SECONDS=120
	scripts/fuzz --seconds $(FUZZ_SECONDS) $(FUZZ)

soak-net: deps-net                      ## ten minutes of mixed operations on three hosts, against a model of all memory
	cmake --preset release && cmake --build build --target shmem oshrun copal_ucx copal_pmix net.soak net.whoami
	scripts/check-net --soak 600 --mpirun 2,2,2

check-slurm: deps-net                   ## check-net, started by Slurm; CHECK_NET="--slurm 2,2,2" runs all tests
	cmake --preset release && cmake --build --preset release
	scripts/check-net $(if $(CHECK_NET),$(CHECK_NET),$(SLURM_RUNS))

bench: deps-bench build                 ## measure Copal, its peers and the floor; FIELD=node,coarrays,... QUICK=1
	/usr/bin/python3 bench/runner $(if $(FIELD),--field $(FIELD)) $(if $(QUICK),--quick) $(BENCH)

compare: deps-bench build               ## all fields: the same as make bench, with the options in COMPARE
	/usr/bin/python3 bench/runner $(if $(QUICK),--quick) $(COMPARE)

check-portable: deps-portable           ## SHCOLL, coarrays and their tests under another OpenSHMEM, Open MPI's
	scripts/check-portable

install: build                          ## PREFIX=/usr/local DESTDIR=
	cmake --install build --prefix "$(if $(filter /%,$(PREFIX)),$(PREFIX),$(CURDIR)/$(PREFIX))"

uninstall:                              ## PREFIX=/usr/local DESTDIR=: what make install put there, and nothing else
	cmake -D BUILD=build -D PREFIX="$(if $(filter /%,$(PREFIX)),$(PREFIX),$(CURDIR)/$(PREFIX))" -P cmake/uninstall.cmake

deb: deps-deb                           ## Debian packages, in build/deb
	scripts/make-deb

check-deb: deps-debian deb              ## lintian; installed in a bare Debian, alone and beside Open MPI's; needs root
	scripts/check-deb

wheel: deps-wheel                       ## a wheel for pip, in build/wheel
	scripts/make-wheel

check-wheel: deps-debian wheel          ## installed by pip in bare Debian 12 and 13; programs, shmem4py; needs root
	scripts/check-wheel

deps-%:
	scripts/install-deps $*

clean:                                  ## remove build/
	rm -rf build

help:                                   ## this list
	@sed -n 's/^\([a-z-]*\):.*## */  make \1\t/p' Makefile | expand -t 27

# A target's first prerequisite installs what the next one needs, also if `make -j` or MAKEFLAGS requests several jobs.
.NOTPARALLEL:

.PHONY: build demo check check-all check-net check-races check-disorder check-late check-failures check-mutations fuzz \
        soak-net check-slurm check-portable bench compare install uninstall deb check-deb wheel check-wheel clean help
