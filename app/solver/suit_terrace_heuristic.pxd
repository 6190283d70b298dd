# The machine types of suit_terrace_heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte
from app.solver.terrace_heuristic cimport TerraceHeuristic

cdef int OVER_NEXT, OVER_SECOND, WASTE_OVER_NEXT, WASTE_OVER_SECOND, NEXT_IN_STOCK, PATH, WASTE_PATH, STOCK_PATH, NOWHERE

cdef class SuitTerraceHeuristic(TerraceHeuristic):
    cdef public byte[::1] depth, waste_depth
    cdef public int[::1] started, lowest
    @cython.locals(suit=cython.int)
    cpdef void measure(self, Board board) noexcept
    cdef int shade(self, Board board, int kind) noexcept
    cdef int after(self, Board board, int kind) noexcept
    @cython.locals(suit=cython.int)
    cdef void add_bases(self, Board board) noexcept
    @cython.locals(order=cython.int, least=cython.int, pile=cython.int, size=cython.int)
    cdef int gap(self, Board board, int kind) noexcept
    @cython.locals(suit=cython.int, pile=cython.int, size=cython.int)
    cdef void measure_suits(self, Board board) noexcept
    @cython.locals(kind=cython.int, pile=cython.int, size=cython.int, i=cython.int)
    cdef void measure_depths(self, Board board) noexcept
    @cython.locals(ahead=cython.int, height=cython.int, kind=cython.int)
    cdef void measure_next(self, int suit) noexcept
    @cython.locals(size=cython.int, top=cython.int, order=cython.int, height=cython.int, kind=cython.int)
    cdef void measure_path(self, Board board) noexcept
