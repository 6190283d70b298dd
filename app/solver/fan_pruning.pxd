# The machine types of fan_cuts.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.pruning cimport Pruning
from app.solver.relaxation cimport Relaxation

cdef int FULL

cdef class FanPruning(Pruning):
    cdef public Relaxation game
    cpdef bint hopeless(self, Board board) noexcept
    @cython.locals(game=Relaxation, rank=cython.int, pile=cython.int, lowest=cython.int, i=cython.int, covering=cython.bint)
    cpdef bint covered(self, Board board) noexcept
    @cython.locals(lowest=cython.int, target=cython.int, pile=cython.int, size=cython.int)
    cpdef int forced(self, Board board) noexcept
    @cython.locals(source=cython.int, target=cython.int)
    cpdef bint useless(self, Board board, int move) noexcept
