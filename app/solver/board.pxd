# Machine types for board.py, read by Cython when it compiles the solver. Nothing here changes what the code means.
cimport cython

ctypedef unsigned char byte
ctypedef unsigned long long word

cdef word WORD, MULTIPLIER_A, MULTIPLIER_B, OTHER
cdef int SALTS, DEAL_CODE

cdef word mix(word x) noexcept

cdef class Board:
    cdef public int piles, total, waste, reserve, foundation, tableau
    cdef public int space, fill_first, fill_second, deals, fixed_base, base
    cdef public bint then_tableau, lifts_runs, then_deal
    cdef public byte[::1] to_tableau, to_foundation, may_choose, whole_run
    cdef public byte[::1] follows, follows_of, starts
    cdef public byte[::1] rank, cards, size, down, journal
    cdef public word[::1] zobrist, pile_key
    cdef public unsigned short[::1] moves
    cdef public int journaled, home
    cdef public word key_a, key_b

    @cython.locals(pile=cython.int, i=cython.int, top=cython.int, key=word)
    cpdef void refresh(self) noexcept
    cpdef int record_size(self) noexcept
    @cython.locals(pile=cython.int, i=cython.int, size=cython.int)
    cdef long long save(self, byte[::1] store, long long at) noexcept
    @cython.locals(pile=cython.int, i=cython.int, size=cython.int)
    cdef void load(self, byte[::1] store, long long at) noexcept
    @cython.locals(source=cython.int, target=cython.int, choosing=cython.bint)
    cpdef void play(self, int move) noexcept
    @cython.locals(entry=cython.int, source=cython.int, target=cython.int, count=cython.int, down=cython.int)
    cpdef void revert(self) noexcept
    @cython.locals(entry=cython.int, left=cython.int)
    cdef void carry(self, int source, int target, int count) noexcept
    @cython.locals(left=cython.int, there=cython.int, i=cython.int, kind=cython.int)
    cdef void shift(self, int source, int target, int count) noexcept
    @cython.locals(pile=cython.int, empty=cython.int)
    cdef void deal(self) noexcept
    @cython.locals(pile=cython.int)
    cdef void fill_spaces(self, int first, int second) noexcept
    @cython.locals(n=cython.int, source=cython.int, open_space=cython.bint)
    cpdef int list_moves(self) noexcept
    @cython.locals(pile=cython.int)
    cdef bint has_open_space(self) noexcept
    @cython.locals(size=cython.int, lead=cython.int, target=cython.int)
    cdef int list_homeward(self, int source, int n) noexcept
    @cython.locals(there=cython.int, top=cython.int)
    cdef bint accepts(self, int foundation, int kind) noexcept
    @cython.locals(size=cython.int, lead=cython.int, target=cython.int, there=cython.int, top=cython.int, table=cython.int, spaces=cython.int)
    cdef int list_single(self, int source, int n) noexcept
    cdef bint takes_single(self, int source) noexcept
    @cython.locals(size=cython.int, run=cython.int, last=cython.int, lead=cython.int, target=cython.int, there=cython.int, top=cython.int, table=cython.int, spaces=cython.int, count=cython.int)
    cdef int list_runs(self, int source, int n) noexcept
    @cython.locals(table=cython.int, low=cython.int, start=cython.int)
    cdef int run_length(self, int pile) noexcept
    @cython.locals(table=cython.int, low=cython.int, n=cython.int)
    cdef int run_from_bottom(self, int pile) noexcept
    @cython.locals(a=word, b=word, x=word, pile=cython.int, place=cython.int)
    cpdef void seal(self) noexcept
