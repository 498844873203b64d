# SPDX-License-Identifier: GPL-2.0-or-later
#
# For configure --enable-units: the host's sources are compiled eight at a time (compile-units), which makes a build from
# nothing faster and that of one changed source slower. What takes long by itself stays alone.
units_alone = cdrgrind/cli/command_line.cc cdrgrind/report/races/race_baseline.cc

# By a make of its own: this one may have read a Makefile that is being made anew.
ifndef units_listed
units/list.mk: $(top_srcdir)/cdrgrind/compile-units $(top_srcdir)/cdrgrind/units.mk Makefile
	@$(MAKE) --no-print-directory -s units_listed=yes list-units
include units/list.mk
endif
list-units:
	@$(MKDIR_P) units && \
	bash $(top_srcdir)/cdrgrind/compile-units units/host host_units 8 \
	  $(filter-out $(units_alone),$(common_sources) $(host_sources)) $(addprefix +,$(units_alone)) >units/list.mk.new && \
	mv units/list.mk.new units/list.mk

libcdrgrind.a: $(host_units)

$(host_units): %.o: %.cc
	$(AM_V_CXX)$(CXXCOMPILE) -MMD -MP -MT $@ -MF $*.d -c -o $@ $<
-include $(host_units:.o=.d)

clean-local: clean-units
clean-units:
	rm -rf units
.PHONY: clean-units list-units
