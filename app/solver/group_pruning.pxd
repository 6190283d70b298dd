# The machine types of group_pruning.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.suit_pruning cimport SuitPruning

cdef int RANKS, KINDS

cdef class GroupPruning(SuitPruning):
    cdef public int[::1] pile, index, free, left, home
    cdef public bint is_empty
    @cython.locals(out=cython.int, changed=cython.bint, pile=cython.int, above_left=cython.bint, i=cython.int, at=cython.int, kind=cython.int)
    cpdef bint is_dead_end(self, Board board) noexcept
    @cython.locals(kind=cython.int, pile=cython.int, size=cython.int, i=cython.int, out=cython.int)
    cdef int start(self, Board board) noexcept
    cdef bint can_go_home(self, Board board, int kind) noexcept
    @cython.locals(pile=cython.int, i=cython.int, table=cython.int, rank=cython.int, suit=cython.int, base=cython.int, above=cython.int)
    cdef bint can_leave(self, Board board, int kind) noexcept
