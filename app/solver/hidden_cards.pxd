# The machine types of hidden_cards.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport byte, word

cdef int SHIFT
cdef word WORD, STAR

cdef class HiddenCards:
    cdef public Board board
    cdef public int face_up, place_count
    cdef public word random
    cdef public int[::1] places
    cdef public byte[::1] world, scratch

    cpdef void seed(self, word number) noexcept
    @cython.locals(x=word)
    cdef word next_random(self) noexcept
    @cython.locals(n=cython.int, pile=cython.int)
    cpdef int hidden(self) noexcept
    @cython.locals(pile=cython.int)
    cdef bint is_hidden(self, int place) noexcept
    @cython.locals(i=cython.int)
    cpdef void put_world(self) noexcept
    @cython.locals(n=cython.int, i=cython.int, j=cython.int, kind=cython.int)
    cpdef void imagine(self)
