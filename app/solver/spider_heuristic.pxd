# The machine types of spider_heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte
from app.solver.heuristic cimport Heuristic

cdef int OUT, DOWN, EMPTY_PILES, PIECES, DISORDER, RUN_SQUARES, BURIED_KINGS, OVER_DOWN
cdef int NEXT_FLIP, BLOCKED, KING, RANKS, MANY

cdef class SpiderHeuristic(Heuristic):
    cdef public byte[::1] lowest
    cdef public int flip
    @cython.locals(pile=cython.int)
    cpdef void measure(self, Board board) noexcept
    @cython.locals(size=cython.int, down=cython.int, bottom=cython.int, table=cython.int, runs=cython.int, suit=cython.int, pieces=cython.int, length=cython.int, below=cython.int, i=cython.int, kind=cython.int, rank=cython.int)
    cdef void measure_column(self, Board board, int pile) noexcept
