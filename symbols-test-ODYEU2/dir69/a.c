int __internal_twice(int a) { return 2 * a; }
extern int twice(int) __attribute__((alias("__internal_twice")));
int main(void) { return twice(2); }
