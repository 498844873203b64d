_Atomic int count; int main(void) { return count; }
