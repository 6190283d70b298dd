# The machine types of thieves_heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte
from app.solver.heuristic cimport Heuristic

cdef int OUT, EMPTY_PILES, HAND, BLOCKED, OVER_LOW, DISORDER, SETTLED, SHORTEST, SAME_TOPS, MOVABLE_TOPS
cdef int OVER_NEXT, OVER_SECOND, OVER_THIRD, OVER_OTHER, WASTE_OVER_NEXT, WASTE_OVER_SECOND, NEXT_IN_STOCK, UNEVEN
cdef int WASTE_BLOCKED, WASTE_OVER_LOW, WASTE_PLAYABLE, LONG, FULL, KINDS, NOWHERE

cdef class ThievesHeuristic(Heuristic):
    cdef public byte[::1] depth, waste_depth, top_count, accepted, fitting, fit_count
    cdef public int[::1] started, lowest, highest, extreme
    cdef public int fewest
    cdef public bint learned
    @cython.locals(kind=cython.int, pile=cython.int, suit=cython.int)
    cpdef void measure(self, Board board) noexcept
    @cython.locals(decks=cython.int, suit=cython.int, low=cython.int, high=cython.int, pile=cython.int, size=cython.int)
    cdef void measure_foundations(self, Board board) noexcept
    @cython.locals(size=cython.int, bottom=cython.int, table=cython.int, suit=cython.int, lowest=cython.int, below=cython.int, i=cython.int, kind=cython.int, height=cython.int, runs=cython.int)
    cdef void measure_column(self, Board board, int pile) noexcept
    @cython.locals(table=cython.int, below=cython.int, kind=cython.int)
    cdef void learn(self, Board board) noexcept
    @cython.locals(pile=cython.int, kind=cython.int, i=cython.int)
    cdef void measure_tops(self, Board board) noexcept
    @cython.locals(bottom=cython.int, size=cython.int, suit=cython.int, i=cython.int, kind=cython.int, height=cython.int, lowest=cython.int)
    cdef void measure_waste(self, Board board) noexcept
    @cython.locals(wanted=cython.int, ahead=cython.int, height=cython.int, kind=cython.int, depth=cython.int, waste_depth=cython.int, other=cython.int)
    cdef void measure_next(self, int suit) noexcept
