# The machine types of run_heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte
from app.solver.heuristic cimport Heuristic

cdef int OUT, DOWN, EMPTY_PILES, BLOCKED, IN_ORDER, FROM_KING, FROM_KING_SQUARED, WHOLE_RUNS
cdef int BURIED_KINGS, OVER_READY, LOWEST, KING_RUNS, KING, NOWHERE

cdef class RunHeuristic(Heuristic):
    cdef public byte[::1] depth
    @cython.locals(kind=cython.int, pile=cython.int)
    cpdef void measure(self, Board board) noexcept
    @cython.locals(size=cython.int, down=cython.int, bottom=cython.int, table=cython.int, lowest=cython.int, i=cython.int, kind=cython.int, rank=cython.int, run=cython.int)
    cdef void measure_column(self, Board board, int pile) noexcept
    @cython.locals(lowest=cython.int, pile=cython.int, size=cython.int, ready=cython.int)
    cdef void measure_foundations(self, Board board) noexcept
