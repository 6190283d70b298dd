# The machine types of fan_heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.heuristic cimport Heuristic

cdef int OUT, BLOCKED, ADJACENT_BLOCKED, OVER_LOW_CARDS, RESERVE, EMPTY_PILES

cdef class FanHeuristic(Heuristic):
    @cython.locals(pile=cython.int, size=cython.int)
    cpdef void measure(self, Board board) noexcept
    @cython.locals(i=cython.int, j=cython.int, card=cython.int)
    cdef void measure_pile(self, Board board, int bottom, int size) noexcept
