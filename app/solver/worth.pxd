cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte

cdef int FEATURES

cdef class Worth:
    cdef public int family, full_stock, used
    cdef public int[::1] early, late, feature
    cdef public byte[::1] counts, ready
    @cython.locals(stock=cython.int, total=cython.longlong, i=cython.int, weight=cython.int)
    cpdef int of(self, Board board) noexcept
    @cython.locals(i=cython.int)
    cpdef void measure(self, Board board) noexcept
    @cython.locals(f=cython.int[::1], base=cython.int, table=cython.int, k=cython.int, least=cython.int, most=cython.int, pile=cython.int, n=cython.int, low=cython.int, top=cython.int, kind=cython.int, d=cython.int, i=cython.int, above=cython.int, gap=cython.int, red=cython.int, size=cython.int)
    cdef void measure_terrace(self, Board board) noexcept
    @cython.locals(f=cython.int[::1], pile=cython.int, n=cython.int, low=cython.int, i=cython.int, j=cython.int)
    cdef void measure_fans(self, Board board) noexcept
    @cython.locals(f=cython.int[::1], table=cython.int, k=cython.int, pile=cython.int, n=cython.int, low=cython.int, down=cython.int, least=cython.int, i=cython.int, kind=cython.int, rank=cython.int, run=cython.int, top=cython.int, lead=cython.int)
    cdef void measure_runs(self, Board board) noexcept
