# The machine types of fan_cuts.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.pruning cimport Cuts
from app.solver.relaxation cimport Generous

cdef int FULL

cdef class FanCuts(Cuts):
    cdef public Generous game
    cpdef bint hopeless(self, Board board) noexcept
    @cython.locals(game=Generous, rank=cython.int, pile=cython.int, lowest=cython.int, i=cython.int, covering=cython.bint)
    cpdef bint covered(self, Board board) noexcept
    @cython.locals(lowest=cython.int, target=cython.int, pile=cython.int, size=cython.int)
    cpdef int forced(self, Board board) noexcept
    @cython.locals(source=cython.int, target=cython.int)
    cpdef bint useless(self, Board board, int move) noexcept
