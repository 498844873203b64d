// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/address_directory.h"

#include "cdrgrind/encode/event_codec.h"

namespace cdr::trace {
namespace {

// Entries of tables of pages: so many in any file, and so many more for each byte that tells of threads and blocks.
constexpr uint64_t kAlwaysSpread = 1 << 20, kSpreadPerByte = 16;

}  // namespace

struct AddressDirectory::Readers {
  explicit Readers(const Columns& c)
      : threads(c[kAddrThreads]),
        blocks(c[kAddrBlocks]),
        forms(c[kAddrForms]),
        firsts(c[kAddrFirsts]),
        few_counts(c[kAddrFewCounts]),
        few_diffs(c[kAddrFewDiffs]),
        few_lengths(c[kAddrFewLengths]),
        residual_sizes(c[kAddrResidualSizes]),
        residuals(c[kAddrResiduals]) {}
  ByteReader threads, blocks, forms, firsts, few_counts, few_diffs, few_lengths, residual_sizes, residuals;
  uint64_t last_first = 0;
  uint32_t strings = 0, presences = 0;

  bool all_read() const {
    for (const ByteReader* r :
         {&threads, &blocks, &forms, &firsts, &few_counts, &few_diffs, &few_lengths, &residual_sizes, &residuals})
      if (!r->ok() || !r->at_end()) return false;
    return true;
  }
};

bool AddressDirectory::read(const Columns& columns) {
  streams_.clear();
  few_.clear();
  tables_of_.clear();
  tables_.assign(1, {});
  spread_ = 0;
  Readers in(columns);
  return read_directory(in) && in.all_read() && read_diffs(columns) &&
         read_columns(columns.part<kGrammarColumns>(kAddrGrammar), 0, in.strings, static_cast<uint32_t>(diffs_.size()),
                      values_) &&
         read_columns(columns.part<kGrammarColumns>(kAddrPresence), 0, in.presences, 2, presence_);
}

bool AddressDirectory::read_diffs(const Columns& columns) {
  diffs_.clear();
  ByteReader in(columns[kAddrDiffs]);
  while (in.ok() && !in.at_end()) diffs_.push_back(in.svarint());
  return in.ok();
}

bool AddressDirectory::read_directory(Readers& in) {
  uint64_t thread = 0;
  while (!in.threads.at_end()) {
    thread += in.threads.bounded(kMaxSerial);
    if (!in.threads.ok() || thread > kMaxSerial) return false;
    if (thread >= tables_of_.size()) tables_of_.resize(thread + 1);
    if (tables_of_[thread] != 0) return false;
    tables_of_[thread] = static_cast<uint32_t>(tables_.size());
    Table& table = tables_.emplace_back();
    if (!read_blocks(in, table)) return false;
    spread(table, kAlwaysSpread + kSpreadPerByte * (in.threads.position() + in.blocks.position()));
  }
  return true;
}

bool AddressDirectory::read_blocks(Readers& in, Table& table) {
  uint64_t block = 0;
  for (uint64_t n = in.threads.bounded(in.blocks.left()); n > 0; --n) {
    const uint64_t step = in.blocks.bounded(blocks_.block_count());
    block += step;
    const BlockId id(static_cast<uint32_t>(block));
    if (!in.blocks.ok() || block > blocks_.block_count() || step == 0) return false;
    table.list.push_back({id.value, static_cast<uint32_t>(streams_.size()) + 1});
    if (!read_streams(in, id)) return false;
  }
  return true;
}

// Pages in place of the list, if those of all tables together do not take more than that.
void AddressDirectory::spread(Table& table, uint64_t most) {
  if (table.list.empty()) return;
  const uint64_t size = table.list.back().block / Table::kPage + uint64_t{1};
  if (spread_ + size > most) return;
  spread_ += size;
  table.page_of.resize(size);
  table.pages.resize(Table::kPage);
  for (const auto& [block, first] : table.list) {
    uint32_t& page = table.page_of[block / Table::kPage];
    if (page == 0) {
      page = static_cast<uint32_t>(table.pages.size());
      table.pages.resize(page + Table::kPage);
    }
    table.pages[page + block % Table::kPage] = first;
  }
  table.pages.shrink_to_fit();
  table.list = {};
}

bool AddressDirectory::read_streams(Readers& in, BlockId id) {
  const Exit& exit = blocks_.exit_of(id);
  if (exit.words > in.forms.left()) return false;
  std::vector<bool> guarded(exit.words);
  for (const Access& a : blocks_.superblock_of(id).accesses.first(exit.accesses))
    if (a.guarded()) guarded[a.slot - 1] = true;
  for (uint32_t i = 0; i < exit.words; ++i)
    if (!read_stream(in, streams_.emplace_back(), guarded[i])) return false;
  return true;
}

bool AddressDirectory::read_stream(Readers& in, AddressStream& s, bool guarded) {
  s.flags = in.forms.u8();
  if (!in.forms.ok() || s.form() > StreamForm::kResidual || s.flags >= 2 * kStreamStarted) return false;
  if (guarded != s.guarded()) return false;
  if (s.started()) s.first = in.last_first = in.firsts.delta(in.last_first);
  if (guarded) s.presence = in.presences++;
  if (s.form() == StreamForm::kFew) return read_few(in, s);
  s.string = in.strings++;
  if (s.form() == StreamForm::kResidual) s.residual = in.residuals.raw(in.residual_sizes.varint());
  return in.residuals.ok() && in.residual_sizes.ok();
}

bool AddressDirectory::read_few(Readers& in, AddressStream& s) {
  s.few = static_cast<uint32_t>(few_.size());
  const uint64_t n = in.few_counts.bounded(in.few_diffs.left());
  for (uint64_t i = 0; i < n; ++i) {
    DiffRun r{in.few_diffs.svarint(), ~uint64_t{0}};
    if (i + 1 < n) r.length = in.few_lengths.varint();
    few_.push_back(r);
  }
  s.few_end = static_cast<uint32_t>(few_.size());
  return in.few_counts.ok() && in.few_diffs.ok() && in.few_lengths.ok();
}

}  // namespace cdr::trace
