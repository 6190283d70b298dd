# The machine types of fan_pruning.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.pruning cimport Pruning
from app.solver.relaxation cimport Relaxation

cdef int FULL

cdef class FanPruning(Pruning):
    cdef public Relaxation relaxation
    cpdef bint is_dead_end(self, Board board) noexcept
    @cython.locals(relaxation=Relaxation, rank=cython.int, pile=cython.int, lowest=cython.int, i=cython.int, covering=cython.bint)
    cpdef bint is_deadlocked(self, Board board) noexcept
    @cython.locals(lowest=cython.int, target=cython.int, pile=cython.int, size=cython.int)
    cpdef int safe_move(self, Board board) noexcept
    @cython.locals(source=cython.int, target=cython.int)
    cpdef bint is_dominated(self, Board board, int move) noexcept
