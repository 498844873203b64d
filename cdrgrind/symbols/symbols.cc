// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/symbols.h"

#include <sys/stat.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cdrgrind/symbols/common/demangle.h"
#include "cdrgrind/symbols/common/packed_files.h"
#include "cdrgrind/symbols/common/paths.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/elf/loaded_data.h"
#include "cdrgrind/symbols/files/module_file.h"
#include "cdrgrind/symbols/tables/breakpoints.h"

namespace cdr::symbols {

struct Symbols::Impl {
  explicit Impl(SymbolOptions with) : options(std::move(with)), demangler(pool) {}

  // A module, its tables at an address, and that in its file.
  struct Spot {
    const Module* module = nullptr;
    const LineTable* lines = nullptr;
    const CodeTable* code = nullptr;
    const SymbolTable* symbols = nullptr;
    std::uint64_t address = 0;
    explicit operator bool() const { return module != nullptr; }
  };

  Spot spot(ModuleSerial serial, std::uint64_t runtime);
  ModuleFile& file_of(const Module& module);
  // At an address of the module's file; null: there is none.
  const ElfSymbol* function_symbol(const Module& module, std::uint64_t address) {
    return file_of(module).symbols(pool).function_at(address);
  }
  const ModuleTables& tables_of(const Module& module) { return file_of(module).tables(options, pool); }
  const SymbolTable& symbols_of(const Module& module) { return file_of(module).symbols(pool); }

  std::string_view text(StringId id) const { return pool.text(id); }
  SourcePos position(StringId file, std::uint32_t line, std::uint32_t column) const;
  SourcePos line_at(const Spot& spot) const;
  std::string_view inlined_name(const FunctionRecord& function);
  FunctionInfo real_function(const Spot& spot, NodeIndex node);
  FunctionInfo symbol_function(const Spot& spot);
  FunctionInfo function_at(const Spot& spot);
  std::vector<InlineFrame> chain_at(const Spot& spot);
  // At an address of the file, or an offset in a thread's block.
  DataName data_name(const TypeTable& types, const VariableRecord& variable, std::uint64_t address);
  DataName symbol_data_name(const ElfSymbol& symbol, std::uint64_t address) const;
  std::unordered_set<StringId> matching_files(std::string_view wanted);
  bool is_newer_than_program(std::int64_t modified_at, std::string_view file);
  // By the name that reports have for it; null if it did not come with the trace.
  const PackedFiles::Source* packed_source(std::string_view file) const;
  bool has_packed_sources() const { return options.packed && options.packed->has_sources(); }
  std::optional<SourceFile> read_source(std::string_view file, const std::optional<std::string>& path);

  SymbolOptions options;
  StringPool pool;
  Demangler demangler;
  ModuleMap modules;
  std::unordered_map<std::string, std::unique_ptr<ModuleFile>> files;  // by path and what identifies the file
  std::unordered_map<ModuleSerial, ModuleFile*> file_of_module;
  std::unordered_map<std::string, std::optional<SourceFile>> sources;
};

Symbols::Symbols(SymbolOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Symbols::~Symbols() = default;
Symbols::Symbols(Symbols&&) noexcept = default;
Symbols& Symbols::operator=(Symbols&&) noexcept = default;

void Symbols::add_module(Module module) { impl_->modules.add(std::move(module)); }
const ModuleMap& Symbols::modules() const { return impl_->modules; }

ModuleFile& Symbols::Impl::file_of(const Module& module) {
  ModuleFile*& known = file_of_module[module.serial];
  if (known) return *known;
  std::unique_ptr<ModuleFile>& file = files[binary_key(module.path, module.build_id, module.checksum)];
  if (!file) file = std::make_unique<ModuleFile>(module, options);
  known = file.get();
  return *known;
}

Symbols::Impl::Spot Symbols::Impl::spot(ModuleSerial serial, std::uint64_t runtime) {
  const Module* module = modules.find(serial);
  if (!module) return {};
  const std::uint64_t address = module->file_address(runtime);
  ModuleFile& file = file_of(*module);
  const ModuleFile::CodeTables at = file.code_tables_at(address, options, pool);
  return {module, at.lines, at.code, &file.symbols(pool), address};
}

std::vector<ModuleSerial> Symbols::modules_at(std::uint64_t address) {
  std::vector<ModuleSerial> found;
  for (auto entry = impl_->modules.all().rbegin(); entry != impl_->modules.all().rend(); ++entry) {
    const Module& module = entry->second;
    const bool in_text = address - module.text_begin < module.text_size;
    if (in_text || impl_->file_of(module).contains(module.file_address(address))) found.push_back(module.serial);
  }
  return found;
}

// Lines.

SourcePos Symbols::Impl::position(StringId file, std::uint32_t line, std::uint32_t column) const {
  if (line == 0 || file == StringId::empty) return {};
  return {text(file), line, column};
}

SourcePos Symbols::Impl::line_at(const Spot& spot) const {
  const LineRow* row = spot.lines->find(spot.address);
  return row ? position(row->file, row->line, row->column) : SourcePos{};
}

void Symbols::forget_tables(ModuleSerial serial) {
  if (const Module* module = impl_->modules.find(serial)) impl_->file_of(*module).forget_tables();
}

SourcePos Symbols::line_of(ModuleSerial module, std::uint64_t address) {
  const Impl::Spot spot = impl_->spot(module, address);
  return spot ? impl_->line_at(spot) : SourcePos{};
}

// Code.

std::span<const std::uint8_t> Symbols::code_at(ModuleSerial serial, std::uint64_t address, std::size_t size) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return {};
  return impl_->file_of(*module).code_at(module->file_address(address), size);
}

// Functions.

std::string_view Symbols::Impl::inlined_name(const FunctionRecord& function) {
  return function.name != StringId::empty ? text(function.name) : demangler.name(function.linkage_name);
}

FunctionInfo Symbols::Impl::symbol_function(const Spot& spot) {
  const ElfSymbol* symbol = spot.symbols->function_at(spot.address);
  if (!symbol) return {};
  return {demangler.name(symbol->name), text(symbol->name), spot.module->runtime_address(symbol->begin), {}};
}

// A function's internal name gives way to the public one of its symbol:
// __libc_malloc is malloc. The parts of a coroutine have one name in DWARF; their
// symbols tell them apart.
FunctionInfo Symbols::Impl::real_function(const Spot& spot, NodeIndex node) {
  const CodeTable& code = *spot.code;
  const FunctionRecord& function = code.function(code.node(node).function);
  const std::uint64_t entry = code.entry(node);
  FunctionInfo info;
  info.name = inlined_name(function);
  info.linkage_name = text(function.linkage_name);
  info.entry = spot.module->runtime_address(entry);
  info.decl = position(function.decl_file, function.decl_line, 0);
  const ElfSymbol* symbol = spot.symbols->function_at(entry);
  if (symbol && symbol->begin == entry) {
    const bool is_internal = !is_mangled(info.linkage_name) && info.name.starts_with('_') && symbol->is_public;
    if (info.name.empty() || is_internal) info.name = demangler.name(symbol->name);
    if (info.linkage_name.empty()) info.linkage_name = text(symbol->name);
    if (is_part_of_coroutine(text(symbol->name))) {
      info.name = demangler.name(symbol->name);
      info.linkage_name = text(symbol->name);
    }
  }
  return info;
}

FunctionInfo Symbols::Impl::function_at(const Spot& spot) {
  const NodeIndex node = spot.code->innermost(spot.address);
  if (node == 0) return symbol_function(spot);
  return real_function(spot, spot.code->real_function(node));
}

std::string_view Symbols::linkage_name_of(ModuleSerial serial, std::uint64_t entry) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return {};
  const std::uint64_t address = module->file_address(entry);
  const ElfSymbol* symbol = impl_->function_symbol(*module, address);
  return symbol && symbol->begin == address ? impl_->text(symbol->name) : function_of(serial, entry).linkage_name;
}

std::uint64_t Symbols::function_begin(ModuleSerial serial, std::uint64_t address) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return 0;
  const std::uint64_t in_file = module->file_address(address);
  const ElfSymbol* symbol = impl_->function_symbol(*module, in_file);
  return symbol ? address - (in_file - symbol->begin) : 0;
}

bool Symbols::function_ends_at(ModuleSerial serial, std::uint64_t address) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return false;
  const std::uint64_t behind = module->file_address(address);
  const ElfSymbol* symbol = impl_->function_symbol(*module, behind - 1);
  return symbol && symbol->end == behind;
}

FunctionInfo Symbols::function_of(ModuleSerial module, std::uint64_t address) {
  const Impl::Spot spot = impl_->spot(module, address);
  return spot ? impl_->function_at(spot) : FunctionInfo{};
}

std::vector<InlineFrame> Symbols::Impl::chain_at(const Spot& spot) {
  std::vector<InlineFrame> chain;
  const CodeTable& code = *spot.code;
  SourcePos pos = line_at(spot);
  NodeIndex index = code.innermost(spot.address);
  for (; index != 0 && code.node(index).parent != 0; index = code.node(index).parent) {
    const CodeNode& node = code.node(index);
    const FunctionRecord& function = code.function(node.function);
    chain.push_back({inlined_name(function), text(function.linkage_name), pos, true});
    pos = position(node.call_file, node.call_line, node.call_column);
  }
  const FunctionInfo function = index != 0 ? real_function(spot, index) : symbol_function(spot);
  if (function.known() || pos.known()) chain.push_back({function.name, function.linkage_name, pos, false});
  return chain;
}

std::vector<InlineFrame> Symbols::inline_chain(ModuleSerial module, std::uint64_t address) {
  const Impl::Spot spot = impl_->spot(module, address);
  return spot ? impl_->chain_at(spot) : std::vector<InlineFrame>{};
}

// Variables.

DataName Symbols::Impl::data_name(const TypeTable& types, const VariableRecord& variable, std::uint64_t address) {
  const PartName part = types.part_at(pool, variable.type, address - variable.address);
  DataName name;
  name.variable = text(variable.name);
  name.name = std::string(name.variable) + part.path;
  name.pattern = std::string(name.variable) + part.pattern;
  name.variable_type = text(types.type(variable.type).name);
  name.type = text(types.type(part.type).name);
  name.variable_size = variable.size;
  name.offset = address - variable.address;
  name.part_offset = part.offset;
  name.element = types.element_size(variable.type);
  name.decl = position(variable.decl_file, variable.decl_line, 0);
  name.is_atomic = part.is_atomic;
  name.traits = types.type(variable.type).traits;
  name.is_member = variable.is_member;
  return name;
}

DataName Symbols::Impl::symbol_data_name(const ElfSymbol& symbol, std::uint64_t address) const {
  DataName name;
  name.variable = text(symbol.name);
  name.variable_size = symbol.end - symbol.begin;
  name.offset = address - symbol.begin;
  name.part_offset = name.offset;
  return name;
}

std::optional<DataName> Symbols::variable_at(ModuleSerial serial, std::uint64_t address) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return std::nullopt;
  const std::uint64_t in_file = module->file_address(address);
  const auto found = impl_->file_of(*module).variable_at(in_file, false, impl_->options, impl_->pool);
  DataName name;
  if (found.variable) {
    name = impl_->data_name(*found.types, *found.variable, in_file);
  } else if (const ElfSymbol* symbol = impl_->symbols_of(*module).object_at(in_file)) {
    name = impl_->symbol_data_name(*symbol, in_file);
    name.variable = impl_->demangler.name(symbol->name);
    name.name = name.pattern = name.variable;
  } else {
    return std::nullopt;
  }
  name.variable_address = address - name.offset;
  return name;
}

std::vector<LocalName> Symbols::locals_of(ModuleSerial serial, std::uint64_t entry) {
  std::vector<LocalName> names;
  const Module* module = impl_->modules.find(serial);
  if (!module) return names;
  ModuleFile& file = impl_->file_of(*module);
  const std::uint64_t file_entry = module->file_address(entry);
  const LocalTable& all = file.locals_of(file_entry, impl_->pool);
  const auto of = all.functions.find(file_entry);
  if (of == all.functions.end()) return names;
  const std::uint64_t bias = entry - of->first;
  for (const LocalRecord& l : of->second)
    names.push_back({impl_->text(l.name),
                     impl_->text(l.path),
                     {l.begin + bias, l.end + bias},
                     l.reg,
                     l.offset,
                     l.size,
                     l.decl_line,
                     {l.scope_begin + bias, l.scope_end + bias},
                     l.scope_size,
                     l.type});
  return names;
}

std::vector<OrderedCopy> Symbols::ordered_copies(ModuleSerial serial, std::uint64_t entry) {
  std::vector<OrderedCopy> copies;
  const Module* module = impl_->modules.find(serial);
  if (!module) return copies;
  const std::uint64_t file_entry = module->file_address(entry), bias = entry - file_entry;
  for (const OrderRecord& r : impl_->file_of(*module).orders_of(file_entry, impl_->pool)) {
    OrderedCopy copy{impl_->text(r.linkage_name), r.depth, {}, r.arguments};
    for (const CodeRange& c : r.code) copy.code.push_back({c.begin + bias, c.end + bias});
    copies.push_back(std::move(copy));
  }
  return copies;
}

TypeInfo Symbols::type(ModuleSerial serial, std::uint32_t number) {
  const Module* module = impl_->modules.find(serial);
  if (!module || number == 0) return {};
  const TypeRecord& type = impl_->file_of(*module).known_locals().types.type(number);
  return {impl_->text(type.name), type.size, type.shape == TypeShape::scalar ? type.element : 0, type.traits};
}

TypePart Symbols::type_part(ModuleSerial serial, std::uint32_t type, std::uint64_t offset) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return {};
  PartName part = impl_->file_of(*module).known_locals().types.part_at(impl_->pool, type, offset);
  return {std::move(part.path), std::move(part.pattern), part.type, part.offset};
}

std::uint32_t Symbols::type_of_variable(ModuleSerial serial, std::uint64_t address) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return 0;
  const auto& globals = impl_->file_of(*module).locals_of_all(impl_->pool).globals;
  const auto found = globals.find(module->file_address(address));
  return found == globals.end() ? 0 : found->second;
}

std::uint32_t Symbols::returned_type(ModuleSerial serial, std::uint64_t entry) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return 0;
  const std::uint64_t file_entry = module->file_address(entry);
  const auto& returned = impl_->file_of(*module).locals_of(file_entry, impl_->pool).returned;
  const auto found = returned.find(file_entry);
  return found == returned.end() ? 0 : found->second;
}

std::optional<DataName> Symbols::tls_variable_at(ModuleSerial serial, std::uint64_t offset) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return std::nullopt;
  const auto found = impl_->file_of(*module).variable_at(offset, true, impl_->options, impl_->pool);
  if (found.variable) return impl_->data_name(*found.types, *found.variable, offset);
  const ElfSymbol* symbol = impl_->symbols_of(*module).tls_object_at(offset);
  if (!symbol) return std::nullopt;
  DataName name = impl_->symbol_data_name(*symbol, offset);
  name.variable = impl_->demangler.name(symbol->name);
  name.name = name.pattern = name.variable;
  return name;
}

// Data.

namespace {

std::vector<DataRange> at_runtime(const Module& module, const std::vector<ElfSegment>& segments) {
  std::vector<DataRange> ranges;
  for (const ElfSegment& s : segments)
    if (!s.executable) ranges.push_back({module.runtime_address(s.begin), module.runtime_address(s.end)});
  return ranges;
}

}  // namespace

std::vector<std::string> Symbols::compilers(ModuleSerial serial) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return {};
  const std::set<std::string>& all = impl_->tables_of(*module).compilers;
  return {all.begin(), all.end()};
}

std::vector<DataRange> Symbols::data_ranges(ModuleSerial serial) {
  const Module* module = impl_->modules.find(serial);
  return module ? at_runtime(*module, impl_->file_of(*module).segments()) : std::vector<DataRange>{};
}

std::vector<DataRange> Symbols::copied_variables(ModuleSerial serial) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return {};
  return at_runtime(*module, symbols::copied_variables(impl_->file_of(*module).path()));
}

std::vector<DataRange> Symbols::exported_variables(ModuleSerial serial) {
  const Module* module = impl_->modules.find(serial);
  if (!module) return {};
  return at_runtime(*module, symbols::exported_variables(impl_->file_of(*module).path()));
}

std::uint64_t Symbols::thread_local_bytes(ModuleSerial serial) {
  const Module* module = impl_->modules.find(serial);
  return module ? symbols::thread_local_bytes(impl_->file_of(*module).path()) : 0;
}

// From lines to addresses.

std::unordered_set<StringId> Symbols::Impl::matching_files(std::string_view wanted) {
  std::unordered_set<StringId> seen;
  std::unordered_set<StringId> matching;
  for (const auto& [serial, module] : modules.all()) {
    for (const LineRow& row : tables_of(module).lines.rows()) {
      if (seen.insert(row.file).second && (wanted.empty() || path_matches(text(row.file), wanted)))
        matching.insert(row.file);
    }
  }
  return matching;
}

std::vector<std::string_view> Symbols::files_matching(std::string_view file) {
  std::vector<std::string_view> paths;
  for (StringId id : impl_->matching_files(file)) paths.push_back(impl_->text(id));
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<BreakpointAddress> Symbols::breakpoint_addresses(std::string_view file, std::uint32_t line) {
  const std::unordered_set<StringId> files = impl_->matching_files(file);
  std::vector<BreakpointAddress> found;
  for (const auto& [serial, module] : impl_->modules.all()) {
    for (std::uint64_t address : breakpoints_of_line(impl_->tables_of(module), files, line)) {
      found.push_back({serial, module.runtime_address(address)});
    }
  }
  return found;
}

std::optional<std::uint32_t> Symbols::next_line_with_code(std::string_view file, std::uint32_t line) {
  const std::unordered_set<StringId> files = impl_->matching_files(file);
  std::uint32_t best = 0;
  for (const auto& [serial, module] : impl_->modules.all()) {
    const std::uint32_t candidate = first_line_from(impl_->tables_of(module), files, line);
    if (candidate != 0 && (best == 0 || candidate < best)) best = candidate;
  }
  return best == 0 ? std::nullopt : std::optional(best);
}

// Coverage and sources.

Coverage Symbols::coverage() {
  Coverage coverage;
  for (const auto& [serial, module] : impl_->modules.all()) {
    const ModuleFile& file = impl_->file_of(module);
    ++coverage.modules;
    if (!file.has_debug_info()) coverage.without_debug_info.push_back(module.path);
    for (const std::string& note : file.notes()) coverage.notes.push_back({serial, module.path, note});
  }
  return coverage;
}

// Of a trace that does not tell files apart it is not news that one is missing.
std::vector<BinaryNote> Symbols::binaries() {
  std::vector<BinaryNote> notes;
  std::unordered_set<const ModuleFile*> told;
  for (const auto& [serial, module] : impl_->modules.all()) {
    const ModuleFile& file = impl_->file_of(module);
    const BinaryState state = file.binary().state;
    const bool is_news = state == BinaryState::kMissing ? module.is_identified() : state != BinaryState::kRecorded;
    if (is_news && !module.is_recorders && told.insert(&file).second) notes.push_back(file.binary());
  }
  return notes;
}

std::string Coverage::summary() const {
  std::string text = std::to_string(modules) + (modules == 1 ? " module" : " modules");
  if (without_debug_info.empty()) return text + ", all with debug info";
  return text + ", " + std::to_string(without_debug_info.size()) + " without debug info";
}

std::vector<FoundBinary> Symbols::found_binaries() {
  std::vector<FoundBinary> found;
  std::unordered_set<const ModuleFile*> told;
  for (const auto& [serial, module] : impl_->modules.all()) {
    const ModuleFile& file = impl_->file_of(module);
    if (told.insert(&file).second) found.push_back({module, file.binary(), file.image_path(), file.debug_path()});
  }
  return found;
}

const PackedFiles::Source* Symbols::Impl::packed_source(std::string_view file) const {
  const auto& all = options.packed->sources();
  if (const auto found = all.find(std::string(file)); found != all.end()) return &found->second;
  for (const auto& [name, source] : all)
    if (!options.path_maps.empty() && map_path(name, options.path_maps) == file) return &source;
  return nullptr;
}

std::optional<std::string> Symbols::read_file(const std::string& path) const {
  if (!impl_->has_packed_sources()) return read_text_file(path);
  for (const auto& [name, source] : impl_->options.packed->sources()) {
    if (source.path != path) continue;
    const PackedFiles::Bytes bytes = impl_->options.packed->content(source.file.content);
    return std::string(bytes.begin(), bytes.end());
  }
  return std::nullopt;
}

std::optional<std::string> Symbols::find_source(std::string_view file) const {
  if (impl_->has_packed_sources()) {
    const PackedFiles::Source* const source = impl_->packed_source(file);
    return source ? std::optional(source->path) : std::nullopt;
  }
  if (auto found = find_source_file(file, {})) return found;
  return find_source_file(map_path(normal_path(file), impl_->options.path_maps), impl_->options.source_dirs);
}

std::optional<SourceText> Symbols::read_source(std::string_view file) const {
  const auto path = find_source(file);
  auto text = path ? read_file(*path) : std::nullopt;
  if (!text) return std::nullopt;
  return SourceText{*path, std::move(*text)};
}

// Compared with the modules that have code of this file: as far as lines were read, if any of these is of it; mostly
// its name is from there, and the others need not be read.
bool Symbols::Impl::is_newer_than_program(std::int64_t modified_at, std::string_view file) {
  const StringId id = pool.intern(file);
  const auto has_file = [&](ModuleFile& module_file) {
    module_file.tables(options, pool);
    return module_file.has_lines_of(id);
  };
  const auto is_older = [&](const ModuleFile& module_file) {
    return module_file.modified_at() != 0 && modified_at > module_file.modified_at();
  };
  bool found = false;
  for (const auto& [serial, module] : modules.all()) {
    ModuleFile& module_file = file_of(module);
    if (!module_file.has_lines() || !module_file.has_lines_of(id)) continue;
    if (is_older(module_file)) return true;
    found = true;
  }
  if (found) return false;
  return std::any_of(modules.all().begin(), modules.all().end(), [&](const auto& entry) {
    ModuleFile& module_file = file_of(entry.second);
    return is_older(module_file) && has_file(module_file);
  });
}

std::optional<SourceFile> Symbols::Impl::read_source(std::string_view file, const std::optional<std::string>& path) {
  if (!path) return std::nullopt;
  std::optional<SourceFile> source;
  std::int64_t modified_at = 0;
  if (has_packed_sources()) {
    const PackedFiles::Source& packed = *packed_source(file);
    const PackedFiles::Bytes bytes = options.packed->content(packed.file.content);
    source = SourceFile::of_text(*path, std::string(bytes.begin(), bytes.end()));
    modified_at = packed.file.modified_at;
  } else {
    struct stat status;
    if (::stat(path->c_str(), &status) == 0) modified_at = status.st_mtime;
    source = SourceFile::read(*path);
  }
  if (source && is_newer_than_program(modified_at, file)) source->mark_newer_than_program();
  return source;
}

const SourceFile* Symbols::source(std::string_view file) {
  auto [place, is_new] = impl_->sources.try_emplace(std::string(file));
  if (is_new) place->second = impl_->read_source(file, find_source(file));
  return place->second ? &*place->second : nullptr;
}

}  // namespace cdr::symbols
