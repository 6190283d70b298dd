# The machine types of generous.py, for Cython.
cimport cython
from app.solver.board cimport Board

cdef int FULL

@cython.locals(rank=cython.int)
cdef int highest(int ranks) noexcept

cdef class Relaxation:
    cdef public int[::1] at_home, open, reach, laid, above, hidden, covers, cover, gone, chance, bottom, low
    cdef public int higher
    @cython.locals(stock=cython.int, pile=cython.int)
    cpdef bint leaves_cards(self, Board board) noexcept
    @cython.locals(pile=cython.int, rank=cython.int)
    cdef void start(self, Board board) noexcept
    @cython.locals(most=cython.int, rank=cython.int, i=cython.int)
    cdef void bound(self) noexcept
    @cython.locals(changed=cython.bint, pile=cython.int)
    cdef void settle(self, Board board) noexcept
    @cython.locals(hidden=cython.int, covers=cython.int, ranks=cython.int, rank=cython.int, i=cython.int)
    cdef bint leaves(self, Board board, int pile) noexcept
    cdef bint goes(self, int rank, int gone) noexcept
    @cython.locals(first=cython.int, count=cython.int, pile=cython.int, empty=cython.int, ranks=cython.int, covers=cython.int, under=cython.int, i=cython.int, rank=cython.int)
    cdef int deal(self, Board board, int stock) noexcept
    @cython.locals(lowest=cython.int, i=cython.int, rank=cython.int)
    cdef int lowest(self, Board board, int pile) noexcept
    @cython.locals(first=cython.int, pile=cython.int, bare=cython.int, card=cython.int, rank=cython.int)
    cdef void deal_if(self, Board board, int stock, int empty) noexcept
