# The machine types of suit_heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte
from app.solver.heuristic cimport Heuristic

cdef int OUT, DOWN, EMPTY_PILES, EMPTY_CELLS, HAND, RESERVE, BLOCKED, OVER_LOW, DISORDER, MIXED
cdef int OVER_NEXT, UNEVEN, BURIED_KINGS, NEXT_IN_HAND, FULL, KING, ONLY_RANK, NOWHERE, UNCHOSEN
cdef int WASTE_BLOCKED, WASTE_OVER_LOW, WASTE_PLAYABLE

cdef class SuitHeuristic(Heuristic):
    cdef public byte[::1] wanted, depth
    cdef public int[::1] lowest, highest
    cdef public int base
    cdef public bint orders_waste
    @cython.locals(pile=cython.int, i=cython.int, suit=cython.int)
    cpdef void measure(self, Board board) noexcept
    cdef int height(self, Board board, int kind) noexcept
    @cython.locals(kind=cython.int, suit=cython.int, depth=cython.int)
    cdef int least_depth(self, Board board, int pile, int i) noexcept
    @cython.locals(suit=cython.int, low=cython.int, high=cython.int, empty=cython.int, pile=cython.int, size=cython.int)
    cdef void measure_foundations(self, Board board) noexcept
    @cython.locals(size=cython.int, down=cython.int, bottom=cython.int, table=cython.int, runs=cython.int, suit=cython.int, lowest=cython.int, below=cython.int, i=cython.int, kind=cython.int, height=cython.int)
    cdef void measure_column(self, Board board, int pile) noexcept
    @cython.locals(bottom=cython.int, size=cython.int, suit=cython.int, i=cython.int, kind=cython.int, height=cython.int, lowest=cython.int)
    cdef void measure_waste(self, Board board) noexcept
    @cython.locals(table=cython.int, pile=cython.int, below=cython.int)
    cdef bint fits_a_column(self, Board board, int kind) noexcept
