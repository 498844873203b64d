# SPDX-License-Identifier: GPL-2.0-or-later
#
# For configure --enable-units: the sources of the host, of the tool and of the unit tests are compiled many at a time
# (compile-units), which makes a build from nothing faster and that of one changed source slower. What takes long by
# itself stays alone, what defines functions of the C library, what includes config.h, which Valgrind has, too, and tests
# whose helpers have the names of others'. Of debug information there are lines only: variables take a quarter of the time.
# What reads options, debug information and prints, what writes traces anew, and analyses that read a trace once and keep
# little, are compiled with -O1, which saves up to a third of their time.
units_alone = cdrgrind/tool/main.cc cdrgrind/tool/run_info.cc cdrgrind/tool/runtime.cc $(unit_tests_alone)
# Folders in which no helper has the name of another.
join_folders = $(foreach f,$(2),cdrgrind/$(f)=cdrgrind/$(1))
units_joined = \
	$(call join_folders,encode,base format drain) \
	$(call join_folders,trace,trace/check trace/index trace/read) \
	$(call join_folders,symbols,symbols/common symbols/dwarf symbols/elf symbols/files symbols/tables) \
	$(call join_folders,analysis/common,$(addprefix analysis/,events loops paths dependence strands)) \
	$(call join_folders,analysis/compare,$(addprefix analysis/,patterns timeline totals diff mpi sharing sync)) \
	$(call join_folders,analysis/advise,analysis/regions) \
	$(call join_folders,analysis/races,$(addprefix analysis/,races/core races/evidence races/policy slice)) \
	$(call join_folders,report/advise,report/common) \
	$(call join_folders,report/annotate,report/diff report/sync) \
	$(call join_folders,report/dump,report/export report/mpi report/races) \
	$(call join_folders,report/html,$(addprefix report/,loops paths patterns sharing stats))
host_unit_lines = 8000
tool_unit_lines = 4000
test_unit_lines = 1500
units_light = $(addprefix units/host/,cli_% report_% symbols_% encode_% analysis_common_% analysis_compare_%)
unit_debug = $(if $(filter -g%,$(CXXFLAGS)),-g1)

# By a make of its own: this one may have read a Makefile that is being made anew.
ifndef units_listed
units/list.mk: $(top_srcdir)/cdrgrind/compile-units $(top_srcdir)/cdrgrind/units.mk Makefile
	@$(MAKE) --no-print-directory -s units_listed=yes list-units
include units/list.mk
endif
list-units:
	@$(MKDIR_P) units && \
	{ $(call list_units,host,$(common_sources) $(host_sources),$(host_unit_lines)) && \
	  $(call list_units,tool,$(common_sources) $(tool_sources),$(tool_unit_lines)) && \
	  $(call list_units,tests,$(unit_tests_sources),$(test_unit_lines)); } >units/list.mk.new && \
	mv units/list.mk.new units/list.mk
list_units = bash $(top_srcdir)/cdrgrind/compile-units $(top_srcdir) units/$(1) $(1)_units $(3) $(units_joined) \
	$(filter-out $(units_alone),$(2)) $(addprefix +,$(filter $(units_alone),$(2)))

libcdrgrind.a: $(host_units)
cdrgrind/tool/cdrgrind-amd64-linux: $(tool_units)
tests/unit/unit-tests: $(tests_units)

# Make does so by itself for all and check, and not for other goals.
$(host_units) $(tool_units) $(tests_units): | $(BUILT_SOURCES)

compile_unit = -MMD -MP -MT $@ -MF $*.d -c -o $@ $<
$(host_units): %.o: %.cc
	$(AM_V_CXX)$(CXXCOMPILE) $(unit_debug) $(if $(filter $(units_light),$@),$(LIGHT_CXXFLAGS)) $(compile_unit)
$(tests_units): %.o: %.cc
	$(AM_V_CXX)$(CXXCOMPILE) $(unit_debug) $(TEST_CXXFLAGS) $(compile_unit)
$(tool_units): %.o: %.cc
	$(AM_V_CXX)$(CXX) $(DEFS) $(DEFAULT_INCLUDES) $(cdrgrind_tool_cdrgrind_amd64_linux_CPPFLAGS) \
	  $(cdrgrind_tool_cdrgrind_amd64_linux_CXXFLAGS) $(unit_debug) $(compile_unit)
-include $(host_units:.o=.d) $(tool_units:.o=.d) $(tests_units:.o=.d)

clean-local: clean-units
clean-units:
	rm -rf units
.PHONY: clean-units list-units
