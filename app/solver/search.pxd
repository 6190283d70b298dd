# The machine types of search.py, for Cython.
cimport cython
from app.solver.board cimport Board
from app.solver.pruning cimport Pruning
from app.solver.piles cimport byte, word
from app.solver.heuristic cimport Heuristic

cdef int BUCKETS, MAX_LANES, UNCHOSEN

cdef class Search:
    cdef public Board board
    cdef public Heuristic heuristic
    cdef public Pruning pruning
    cdef public long long width, expanded_here
    cdef public int stages, full_left, contour, lanes
    cdef public unsigned int node_count, capacity, expanded, open_total, winner
    cdef public unsigned int[::1] parent, next_in_bucket, record_of, bucket, open_count
    cdef public int[::1] best_bucket
    cdef public unsigned short[::1] move
    cdef public long long record_size, recorded
    cdef public byte[::1] records, lane_of, states
    cdef public bint whole, fine
    cdef public long long states_end
    cdef public word mask, seen_count
    cdef public word[::1] seen

    @cython.locals(board=Board, n=cython.int, pile=cython.int)
    cdef int left(self) noexcept
    cdef void grow_nodes(self, unsigned int capacity)
    @cython.locals(old=word[::1], size=word, i=word)
    cdef void grow_table(self)
    @cython.locals(room=cython.longlong)
    cdef void grow_states(self)
    cdef bint is_new(self) noexcept
    @cython.locals(board=Board, end=cython.longlong, i=word)
    cdef bint insert_state(self) noexcept
    @cython.locals(i=cython.longlong)
    cdef bint is_same(self, word known, long long end) noexcept
    @cython.locals(i=word)
    cdef bint insert_hash(self, word a, word b) noexcept
    @cython.locals(board=Board, node=cython.uint, value=cython.int, contour=cython.int, bucket=cython.uint)
    cdef bint add_node(self, unsigned int parent, int move) noexcept
    @cython.locals(value=cython.int, bucket=cython.uint, node=cython.uint)
    cdef unsigned int pop_best(self) noexcept
    cpdef void restore(self, unsigned int node) noexcept
    @cython.locals(board=Board, end=cython.longlong, before=cython.uint, count=cython.int, i=cython.int, safe_move=cython.int)
    cdef bint expand(self, unsigned int node) noexcept
    cpdef int advance(self, unsigned int until)
