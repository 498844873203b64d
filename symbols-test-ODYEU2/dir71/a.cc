#include "h.h"
S s;
int main() { return s.get(); }
