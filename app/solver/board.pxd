# The machine types of board.py, for Cython.
cimport cython
from app.solver.piles cimport Piles, byte, word

cdef int DEAL_MOVE, FULL, UNCHOSEN, AUTO_FILL, MUST_FILL, MAY_FILL, DEALS_TO_WASTE, DEALS_TO_RESERVE
cdef int DEALS_TO_FILLED_TABLEAU, DEALS_NOWHERE, UNLIMITED, TOP_CARD, RUN, GROUP, CELL_RUN

cdef class Board(Piles):
    cdef public int empty_pile, fill_first, fill_second
    cdef public int unit, run_build, draws, most_redeals
    cdef public bint circular, then_deal, carries
    cdef public byte[::1] to_tableau, to_foundation, to_cell, to_reserve, to_empty, may_set_base, can_follow, build_of, can_start
    cdef public unsigned short[::1] moves

    @cython.locals(source=cython.int, target=cython.int, choosing=cython.bint)
    cpdef void make(self, int move) noexcept
    @cython.locals(pile=cython.int, empty=cython.int)
    cdef void deal(self) noexcept
    @cython.locals(pile=cython.int)
    cdef void fill_empty_piles(self, int first, int second) noexcept
    @cython.locals(n=cython.int, source=cython.int, target=cython.int, must_fill=cython.bint)
    cpdef int generate_moves(self) noexcept
    @cython.locals(pile=cython.int)
    cdef bint must_fill_now(self) noexcept
    @cython.locals(size=cython.int, lead=cython.int, target=cython.int)
    cdef int list_foundation_moves(self, int source, int n) noexcept
    @cython.locals(there=cython.int, top=cython.int)
    cdef bint accepts(self, int foundation, int kind) noexcept
    @cython.locals(size=cython.int, lead=cython.int, target=cython.int, there=cython.int, top=cython.int, table=cython.int, empty_piles=cython.int)
    cdef int list_single_moves(self, int source, int n) noexcept
    cdef bint fits_empty_pile(self, int source, int lead, int count) noexcept
    @cython.locals(left=cython.bint)
    cdef bint may_deal(self) noexcept
    @cython.locals(n=cython.int, pile=cython.int)
    cdef int empty_columns(self) noexcept
    @cython.locals(target=cython.int)
    cdef int list_cell_move(self, int source, int n) noexcept
    @cython.locals(size=cython.int, lead=cython.int, target=cython.int, there=cython.int, top=cython.int, table=cython.int, empty_piles=cython.int, count=cython.int, most=cython.int, room=cython.int, here=cython.int, by_cells=cython.bint)
    cdef int list_unit_moves(self, int source, int n) noexcept
    @cython.locals(room=cython.int, pile=cython.int)
    cdef int most_by_cells(self) noexcept
    @cython.locals(size=cython.int, run=cython.int, last=cython.int, lead=cython.int, target=cython.int, there=cython.int, top=cython.int, table=cython.int, empty_piles=cython.int, count=cython.int)
    cdef int list_run_moves(self, int source, int n) noexcept
    @cython.locals(table=cython.int, low=cython.int, start=cython.int)
    cdef int run_length(self, int pile) noexcept
    @cython.locals(table=cython.int, low=cython.int, n=cython.int)
    cdef int run_from_bottom(self, int pile) noexcept
