# SPDX-License-Identifier: GPL-2.0-or-later
#
# For configure --enable-units: the host's sources are compiled eight at a time (compile-units), which makes a build from
# nothing faster and that of one changed source slower. What takes long by itself stays alone.
units_alone = cdrgrind/cli/command_line.cc cdrgrind/report/races/race_baseline.cc

units/list.mk: $(top_srcdir)/cdrgrind/compile-units $(top_srcdir)/cdrgrind/units.mk Makefile
	$(AM_V_GEN)$(MKDIR_P) units && \
	bash $< units/host host_units 8 $(filter-out $(units_alone),$(common_sources) $(host_sources)) \
	  $(addprefix +,$(units_alone)) >$@.new && mv $@.new $@
include units/list.mk

libcdrgrind.a: $(host_units)

$(host_units): %.o: %.cc
	$(AM_V_CXX)$(CXXCOMPILE) -MMD -MP -MT $@ -MF $*.d -c -o $@ $<
-include $(host_units:.o=.d)

clean-local: clean-units
clean-units:
	rm -rf units
.PHONY: clean-units
