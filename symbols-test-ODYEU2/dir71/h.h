struct S {
  int v;
  __attribute__((noinline)) int get() const {
    return v * 3;
  }
};
