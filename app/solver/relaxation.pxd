# The machine types of relaxation.py, for Cython.
cimport cython
from app.solver.board cimport Board

cdef int FULL

@cython.locals(rank=cython.int)
cdef int highest(int ranks) noexcept

cdef class Relaxation:
    cdef public int[::1] at_home, open, home_limit, exposed, above_lower, top, cover_count, cover_ranks, removed, possible, bottom_ranks, low_rank
    cdef public int always_above
    @cython.locals(stock=cython.int, pile=cython.int)
    cpdef bint has_unreachable_card(self, Board board) noexcept
    @cython.locals(pile=cython.int, rank=cython.int)
    cdef void reset(self, Board board) noexcept
    @cython.locals(most=cython.int, rank=cython.int, i=cython.int)
    cdef void update_limits(self) noexcept
    @cython.locals(changed=cython.bint, pile=cython.int)
    cdef void run_to_fixpoint(self, Board board) noexcept
    @cython.locals(top=cython.int, cover_count=cython.int, ranks=cython.int, rank=cython.int, i=cython.int)
    cdef bint remove_top(self, Board board, int pile) noexcept
    cdef bint can_leave(self, int rank, int removed) noexcept
    @cython.locals(first=cython.int, count=cython.int, pile=cython.int, empty=cython.int, ranks=cython.int, cover_count=cython.int, under=cython.int, i=cython.int, rank=cython.int)
    cdef int deal(self, Board board, int stock) noexcept
    @cython.locals(lowest=cython.int, i=cython.int, rank=cython.int)
    cdef int lowest_rank(self, Board board, int pile) noexcept
    @cython.locals(first=cython.int, pile=cython.int, bare=cython.int, card=cython.int, rank=cython.int)
    cdef void add_deal_case(self, Board board, int stock, int empty) noexcept
