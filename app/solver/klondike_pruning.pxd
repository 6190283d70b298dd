# The machine types of klondike_pruning.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.piles cimport word
from app.solver.suit_pruning cimport SuitPruning

cdef int RANKS, KING
cdef word ONE, ALL, ACES, KINGS, SUIT

cdef class KlondikePruning(SuitPruning):
    cdef public word[::1] column
    cdef public word placed, free, left, home
    cdef public bint is_empty
    @cython.locals(source=cython.int)
    cpdef bint is_dominated(self, Board board, int move) noexcept
    @cython.locals(rank=cython.int, red=cython.bint, suit=cython.int, needed=cython.int)
    cdef bint is_unneeded(self, Board board, int kind) noexcept
    @cython.locals(pile=cython.int, before=word)
    cpdef bint is_dead_end(self, Board board) noexcept
    @cython.locals(pile=cython.int, size=cython.int, suit=cython.int, i=cython.int, cards=word, again=cython.bint)
    cdef void start(self, Board board) noexcept
    @cython.locals(hosts=word, black=word, red=word, on_red=word, on_black=word, found=word)
    cdef word accepted(self) noexcept
    @cython.locals(table=cython.int, above=cython.int, cards=word, card=word, i=cython.int, at=cython.int, kind=cython.int, is_up=cython.bint)
    cdef void relax_pile(self, Board board, int pile) noexcept
    @cython.locals(rank=cython.int, hosts=word, base=word)
    cdef bint has_place(self, Board board, int pile, int kind) noexcept
