# The machine types of pruning.py, for Cython.
cimport cython
from app.solver.board cimport Board

cdef int FULL, UNCHOSEN, MUST_FILL

cdef class Pruning:
    cpdef bint is_dead_end(self, Board board) noexcept
    cpdef int safe_move(self, Board board) noexcept
    cpdef bint is_dominated(self, Board board, int move) noexcept

cdef class ReservePruning(Pruning):
    cdef public int places
    cdef public int[::1] at_home, open, started, lowest, target
    @cython.locals(left=cython.int, place=cython.int, home=cython.int, i=cython.int, pile=cython.int, size=cython.int, top=cython.int)
    cpdef bint is_dead_end(self, Board board) noexcept
    @cython.locals(unstarted=cython.int, pile=cython.int, size=cython.int, place=cython.int, height=cython.int, group=cython.int)
    cpdef int safe_move(self, Board board) noexcept
    @cython.locals(copies=cython.int, group=cython.int, unstarted=cython.int, pile=cython.int, size=cython.int)
    cdef int measure_foundations(self, Board board) noexcept
    cdef bint is_unneeded(self, int group, int height) noexcept
    @cython.locals(height=cython.int, red=cython.int)
    cdef int place(self, Board board, int kind) noexcept

cdef class SuitReservePruning(ReservePruning):
    @cython.locals(other=cython.int)
    cdef bint is_unneeded(self, int group, int height) noexcept
    cdef int place(self, Board board, int kind) noexcept
