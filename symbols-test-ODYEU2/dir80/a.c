struct node { struct node *next; union { int i; char c[8]; } u; };
typedef struct { int x, y; } point;
struct node list[2]; point corner; enum color { red } paint; int open[];
int main(void) { return list[0].u.i + corner.x + paint + open[0]; }
