# The machine types of piles.py, for Cython. Nothing here changes what the code means.
cimport cython

ctypedef unsigned char byte
ctypedef unsigned long long word

cdef word WORD, MULTIPLIER_A, MULTIPLIER_B, OTHER
cdef int SALTS, UNCHOSEN, DEALS_TO_RESERVE, DEALS_TO_TABLEAU, DEALS_TO_FILLED_TABLEAU

cdef word mix(word x) noexcept

cdef class Piles:
    cdef public int piles, total, waste, reserve, cell, foundation, tableau
    cdef public int deals, fixed_base, base
    cdef public byte[::1] whole_run, rank, cards, size, down, undo_log, order
    cdef public word[::1] zobrist, pile_hash
    cdef public int undo_count, home, redeals
    cdef public bint turns_over, counts_redeals, gives_back
    cdef public word hash_a, hash_b

    @cython.locals(pile=cython.int, i=cython.int, top=cython.int, key=word)
    cpdef void refresh(self) noexcept
    cpdef int record_size(self) noexcept
    @cython.locals(pile=cython.int, i=cython.int, size=cython.int)
    cdef long long save(self, byte[::1] store, long long at) noexcept
    @cython.locals(pile=cython.int, i=cython.int, size=cython.int)
    cdef void load(self, byte[::1] store, long long at) noexcept
    @cython.locals(entry=cython.int, source=cython.int, target=cython.int, count=cython.int, down=cython.int)
    cpdef void unmake(self) noexcept
    @cython.locals(entry=cython.int, left=cython.int)
    cdef void move_cards(self, int source, int target, int count) noexcept
    @cython.locals(entry=cython.int)
    cdef void count_redeal(self) noexcept
    @cython.locals(left=cython.int, there=cython.int, i=cython.int, kind=cython.int)
    cdef void move_unlogged(self, int source, int target, int count) noexcept
    @cython.locals(a=word, b=word, x=word, pile=cython.int, place=cython.int)
    cpdef void update_hash(self) noexcept
    @cython.locals(pile=cython.int, i=cython.int, j=cython.int, size=cython.int)
    cdef long long write_state(self, byte[::1] store, long long at) noexcept
    @cython.locals(pile=cython.int, i=cython.int, j=cython.int)
    cdef void sort_piles(self, int first, int end) noexcept
    @cython.locals(i=cython.int, kind=cython.int, there=cython.int)
    cdef bint is_before(self, int pile, int other) noexcept
    cdef bint columns_differ(self) noexcept
    cdef int foundation_top(self, int pile) noexcept
