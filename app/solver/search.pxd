# The machine types of search.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.pruning cimport Pruning
from app.solver.piles cimport byte, word
from app.solver.heuristic cimport Heuristic

cdef int SHELVES, LANES, UNCHOSEN
cdef unsigned int NONE

cdef class Search:
    cdef public Board board
    cdef public Heuristic worth
    cdef public Pruning cuts
    cdef public long long width, opened_here
    cdef public int stages, full_stock, row, lanes
    cdef public unsigned int count, room, opened, left, winner
    cdef public unsigned int[::1] parent, below, slot, shelf, waiting
    cdef public int[::1] lowest
    cdef public unsigned short[::1] move
    cdef public long long record_size, recorded
    cdef public byte[::1] records, lane_of
    cdef public word mask, known
    cdef public word[::1] seen

    cdef void make_room(self, unsigned int room)
    @cython.locals(old=word[::1], size=word, i=word)
    cdef void widen(self)
    @cython.locals(i=word)
    cdef bint mark(self, word a, word b) noexcept
    @cython.locals(board=Board, node=cython.uint, worth=cython.int, row=cython.int, shelf=cython.uint)
    cdef bint add(self, unsigned int parent, int move) noexcept
    @cython.locals(worth=cython.int, shelf=cython.uint, node=cython.uint)
    cdef unsigned int pick(self) noexcept
    cpdef void visit(self, unsigned int node) noexcept
    @cython.locals(board=Board, end=cython.longlong, before=cython.uint, count=cython.int, i=cython.int, forced=cython.int)
    cdef bint open(self, unsigned int node) noexcept
    cpdef int advance(self, unsigned int until)
