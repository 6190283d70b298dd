# The machine types of heuristic.py, for Cython.
cimport cython
from app.solver.board cimport Board

cdef class Heuristic:
    cdef readonly tuple names
    cdef public int full_stock, feature_count
    cdef public int[::1] early, late, feature
    @cython.locals(stock=cython.int, total=cython.longlong, i=cython.int, weight=cython.int)
    cpdef int evaluate(self, Board board) noexcept
    cpdef void measure(self, Board board) noexcept
