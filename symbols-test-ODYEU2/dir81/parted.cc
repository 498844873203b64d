
struct counted { int count; int others[20]; };
__attribute__((noinline, noipa)) void use(counted& c, int n) { if (n > 100) throw n; c.count++; }
__attribute__((noinline)) int parted(int n) { counted kept{}; use(kept, n); try { use(kept, n + 1); } catch (int x) { return x; } return kept.count; }
int main(int argc, char**) { return parted(argc); }
