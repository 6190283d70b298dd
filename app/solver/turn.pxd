# The machine types of turn.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.heuristic cimport Heuristic
from app.solver.hidden_cards cimport HiddenCards
from app.solver.piles cimport byte, word
from app.solver.pruning cimport Pruning

cdef int OPEN, LEAF, WON, DEAD, NONE, UNSTEADY

cdef class Turn(HiddenCards):
    cdef public Heuristic heuristic
    cdef public Pruning pruning
    cdef public bint sees_deals
    cdef public int capacity, count, leaves, winner, hidden_before, heap_size, edges
    cdef public long long positions, record_size
    cdef public word mask
    cdef public int[::1] parent, value, table, heap, edge_from, edge_to
    cdef public unsigned short[::1] move
    cdef public byte[::1] records, state
    cdef public word[::1] hash_a, hash_b

    @cython.locals(board=Board, i=word, expanded=cython.int)
    cpdef int explore(self, int limit)
    @cython.locals(board=Board, i=word, node=cython.int)
    cdef int add(self, int parent, int move) noexcept
    @cython.locals(board=Board, safe_move=cython.int, count=cython.int, i=cython.int, move=cython.int, there=cython.int)
    cdef void expand(self, int node) noexcept
    @cython.locals(i=cython.int, up=cython.int)
    cdef void push(self, int node) noexcept
    @cython.locals(best=cython.int, node=cython.int, i=cython.int, down=cython.int)
    cdef int pop(self) noexcept
    @cython.locals(board=Board, node=cython.int)
    cpdef int graft(self, int move) noexcept
    cpdef void go_to(self, int node) noexcept
    @cython.locals(node=cython.int, place=cython.int)
    cpdef void imagine_again(self, int times)
    @cython.locals(best=cython.int, node=cython.int)
    cpdef int best_leaf(self) noexcept
    @cython.locals(changed=cython.bint, i=cython.int)
    cpdef void spread(self, double[::1] scores) noexcept
    cpdef bint play(self, int limit, int samples, int last)
    @cython.locals(board=Board)
    cpdef bint step(self, int limit, int samples, int last)
