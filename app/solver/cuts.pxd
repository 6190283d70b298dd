# The machine types of cuts.py, for Cython.
cimport cython
from app.solver.board cimport Board

cdef int FULL, UNCHOSEN

cdef class Cuts:
    cpdef bint hopeless(self, Board board) noexcept
    cpdef int forced(self, Board board) noexcept

cdef class FanCuts(Cuts):
    cdef public int[::1] at_home, open, reach, laid, hidden
    @cython.locals(left=cython.int, changed=cython.bint, pile=cython.int, rank=cython.int, homeward=cython.bint, below=cython.int)
    cpdef bint hopeless(self, Board board) noexcept
    @cython.locals(lowest=cython.int, target=cython.int, pile=cython.int, size=cython.int)
    cpdef int forced(self, Board board) noexcept
    @cython.locals(left=cython.int, pile=cython.int, rank=cython.int, i=cython.int)
    cdef int start(self, Board board) noexcept
    @cython.locals(most=cython.int, rank=cython.int, i=cython.int)
    cdef void bound(self) noexcept

cdef class ReserveCuts(Cuts):
    cdef public int[::1] at_home, open
    @cython.locals(left=cython.int, place=cython.int, i=cython.int, pile=cython.int, size=cython.int, top=cython.int)
    cpdef bint hopeless(self, Board board) noexcept
    @cython.locals(height=cython.int, red=cython.int)
    cdef int place(self, Board board, int kind) noexcept
