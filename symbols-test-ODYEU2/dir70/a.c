static int twice(int a) { return 2 * a; }
int main(void) { return twice(2); }
