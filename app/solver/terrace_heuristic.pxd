# The machine types of terrace_heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte
from app.solver.heuristic cimport Heuristic

cdef int OUT, RESERVE, WASTE, WASTE_BLOCKED, EMPTY_PILES, SAME_TOPS, SINGLES, TABLEAU_BLOCKED, HEIGHT_SQUARES
cdef int RESERVE_GAP, WASTE_BLOCKED_EARLY, WASTE_INVERSIONS, WASTE_TOP_PLAYABLE, LONG_PILES, LOWEST, HIGHEST
cdef int BURIED_READY, READY_TOPS, WASTE_PLAYABLE, NEXT_GAPS, RESERVE_SQUARED, WASTE_BUILDS_DOWN
cdef int WASTE_BUILDS_UP, WASTE_BURIED_READY, RESERVE_BLOCKED

cdef class TerraceHeuristic(Heuristic):
    cdef public byte[::1] ready, tops
    cdef public int base
    @cython.locals(kind=cython.int, shade=cython.int)
    cpdef void measure(self, Board board) noexcept
    cdef int order(self, Board board, int kind) noexcept
    cdef int shade(self, Board board, int kind) noexcept
    cdef int after(self, Board board, int kind) noexcept
    cdef void add_bases(self, Board board) noexcept
    @cython.locals(lowest=cython.int, highest=cython.int, squares=cython.int, started=cython.int, pile=cython.int, size=cython.int, top=cython.int)
    cdef void measure_foundations(self, Board board) noexcept
    @cython.locals(pile=cython.int, size=cython.int, top=cython.int, above=cython.int, i=cython.int, shade=cython.int)
    cdef void measure_tableau(self, Board board) noexcept
    @cython.locals(size=cython.int, table=cython.int, highest=cython.int, above=cython.int, depth=cython.int, kind=cython.int, order=cython.int, playable=cython.int, red=cython.bint)
    cdef void measure_waste(self, Board board) noexcept
    @cython.locals(size=cython.int, highest=cython.int, depth=cython.int, kind=cython.int, order=cython.int)
    cdef void measure_reserve(self, Board board) noexcept
    @cython.locals(order=cython.int, least=cython.int, red=cython.int, pile=cython.int, size=cython.int, top_red=cython.int)
    cdef int gap(self, Board board, int kind) noexcept
