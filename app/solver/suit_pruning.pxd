# The machine types of suit_pruning.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.pruning cimport Pruning

cdef int TOP_CARD, RANKS

cdef class SuitPruning(Pruning):
    cdef public int copies
    cdef public int[::1] height, started, target
    @cython.locals(pile=cython.int, size=cython.int, kind=cython.int, suit=cython.int)
    cpdef int safe_move(self, Board board) noexcept
    @cython.locals(pile=cython.int, size=cython.int, suit=cython.int, unstarted=cython.int)
    cdef void measure(self, Board board) noexcept
    @cython.locals(table=cython.int, other=cython.int, height=cython.int)
    cdef bint is_unneeded(self, Board board, int kind) noexcept
    @cython.locals(table=cython.int, other=cython.int)
    cdef bint is_bare(self, Board board, int kind) noexcept
