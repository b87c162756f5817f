------------------------------- MODULE Claims -------------------------------
(***************************************************************************)
(* The protocol between a client of Interlock and its store: ask, wait,    *)
(* grant, renew, replace, succeed, release, and what follows from an       *)
(* answer that does not arrive.  README.md beside it reads it in words.    *)
(*                                                                         *)
(* The network may delay, reorder, lose and repeat every message.  A       *)
(* client may stop at any moment and continue at any later one.  Neither   *)
(* needs an action of its own: no action is ever obliged to happen, and a  *)
(* message that is never received is a lost one.                           *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Clients,      \* the clients
  Names,        \* the names of locks
  Tries,        \* how many claims each client makes, one after the other
  Lease,        \* the length of a lease, in ticks of the clock
  Provisional,  \* the length of a lease that a succession grants
  Margin,       \* by how much a lease ends earlier at its holder
  Horizon,      \* when the clock stops, which bounds the model
  Repeats,      \* how many messages the network may deliver twice
  Crashes,      \* how often the store may restart without its claims
  Writes,       \* whether the writes of holders to a guarded resource are in it
  None,         \* nobody, no name
  Broken        \* the rule that the model breaks, "nothing" in the protocol

VARIABLES
  now,       \* the time, the same for all: Margin stands for clocks that drift
  store,     \* what the store keeps of each name
  claim,     \* what its client knows of each claim
  net,       \* the messages under way
  written,   \* what a guarded resource has accepted last, for each name
  repeats,   \* how many messages have been delivered twice
  crashes,   \* how often the store has restarted
  verb       \* the message that the last step executed in the store

vars == <<now, store, claim, net, written, repeats, crashes, verb>>

(* A state is the same whatever led to it: verb serves OnlyTheOwner alone. *)
View == <<now, store, claim, net, written, repeats, crashes>>

(* An owner is unique to one acquisition: a client and a number. *)
Owners == Clients \X (1 .. Tries)
Client(o) == o[1]
Number(o) == o[2]

Symmetry == Permutations(Clients) \cup Permutations(Names)

Max(a, b) == IF a > b THEN a ELSE b

-----------------------------------------------------------------------------
(* Messages.  at is the moment when the request was sent; a reply repeats   *)
(* it, so that a client can tell which of its requests the reply is for.    *)

Acquire(o, at, old) == [verb |-> "acquire", owner |-> o, at |-> at, old |-> old]
Renew(o, at)        == [verb |-> "renew", owner |-> o, at |-> at]
Release(o, settled) == [verb |-> "release", owner |-> o, settled |-> settled]

Granted(o, at, token, length) ==
  [verb |-> "granted", owner |-> o, at |-> at, token |-> token, length |-> length]
Busy(o, at)            == [verb |-> "busy", owner |-> o, at |-> at]
Renewed(o, at)         == [verb |-> "renewed", owner |-> o, at |-> at]
Gone(o)                == [verb |-> "gone", owner |-> o]
Released(o, settled)   == [verb |-> "released", owner |-> o, settled |-> settled]
Absent(o, settled)     == [verb |-> "absent", owner |-> o, settled |-> settled]

Requests == {m \in net : m.verb \in {"acquire", "renew", "release"}}
Under(kind, o) == \E m \in net : m.verb = kind /\ m.owner = o

-----------------------------------------------------------------------------
(* What a client believes. *)

Ended == {"RELEASED", "LOST"}

(* The messages without the replies that nobody will ever look at: those   *)
(* of an earlier request, and those to a claim that has ended.  The model  *)
(* is smaller for it, and shows the same.                                  *)
Heeded(messages, claims) ==
  {m \in messages :
     CASE m.verb \in {"granted", "busy"} ->
            /\ claims[m.owner].state \in {"ASKING", "RESOLVING"}
            /\ m.at = claims[m.owner].sent
       [] m.verb \in {"renewed", "gone"} -> claims[m.owner].state = "HELD"
       [] m.verb \in {"released", "absent"} -> claims[m.owner].state \in {"RELEASING", "RESOLVING"}
       [] OTHER -> TRUE}

Send(messages) == net' = Heeded(messages, claim')

Valid(o) == claim[o].state = "HELD" /\ now < claim[o].deadline

NewClaim ==
  [state |-> "NEW", name |-> None, sent |-> 0, deadline |-> 0, token |-> 0,
   answered |-> FALSE, again |-> FALSE, replaces |-> None]

Init ==
  /\ now = 0
  /\ store = [n \in Names |-> [holder |-> None, until |-> 0, queue |-> <<>>, token |-> 0]]
  /\ claim = [o \in Owners |-> NewClaim]
  /\ net = {}
  /\ written = [n \in Names |-> [token |-> 0, owner |-> None]]
  /\ repeats = 0
  /\ crashes = 0
  /\ verb = None

(* A client makes its next claim when the one before is over, or of unknown *)
(* outcome: then it is released by its own owner, beside the next one.      *)
IsNext(o) ==
  /\ claim[o].state = "NEW"
  /\ Number(o) > 1 =>
       claim[<<Client(o), Number(o) - 1>>].state \in Ended \cup {"RESOLVING"}

Ask(o, n) ==
  /\ IsNext(o)
  /\ claim' = [claim EXCEPT ![o].state = "ASKING", ![o].name = n, ![o].sent = now]
  /\ Send(net \cup {Acquire(o, now, None)})
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* The holder gives its turn away: one request ends its claim and lines the *)
(* next one of this client up behind all others.                            *)
Replace(o, next) ==
  /\ Valid(o)
  /\ ~Under("renew", o)
  /\ Client(next) = Client(o) /\ Number(next) = Number(o) + 1
  /\ claim[next].state = "NEW"
  /\ claim' = [claim EXCEPT
       ![o].state = "RELEASING",
       ![next].state = "ASKING", ![next].name = claim[o].name,
       ![next].sent = now, ![next].replaces = o]
  /\ Send(net \cup {Acquire(next, now, o)})
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* A wake and a poll are the same to a waiter: it asks again. *)
AskAgain(o) ==
  /\ claim[o].state = "WAITING"
  /\ claim[o].sent < now
  /\ claim' = [claim EXCEPT ![o].state = "ASKING", ![o].sent = now, ![o].answered = FALSE,
                            ![o].again = TRUE]
  /\ Send(net \cup {Acquire(o, now, None)})
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* No answer came in time: it is unknown whether the store holds the claim, *)
(* and whether that which it was to replace is still there.                 *)
GiveUp(o) ==
  /\ claim[o].state \in {"ASKING", "WAITING"}
  /\ LET old == claim[o].replaces
         both == {Release(o, claim[o].answered)} \cup
                 (IF old = None THEN {} ELSE {Release(old, TRUE)})
     IN /\ claim' = [claim EXCEPT ![o].state = "RESOLVING"]
        /\ Send(net \cup both)
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* A release is repeated until an answer is final. *)
MayReleaseAgain(o) ==
  /\ Broken # "release once"
  /\ claim[o].state \in {"RELEASING", "RESOLVING"}
  /\ ~Under("release", o) /\ ~Under("released", o) /\ ~Under("absent", o)
  /\ ~(\E next \in Owners : claim[next].replaces = o /\ claim[next].state = "ASKING")

ReleaseAgain(o) ==
  /\ MayReleaseAgain(o)
  /\ UNCHANGED claim
  /\ Send(net \cup {Release(o, claim[o].state = "RELEASING" \/ claim[o].answered)})
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* The lease would have ended by now: the store forgets the rest by itself. *)
Settle(o) ==
  /\ \/ claim[o].state = "RESOLVING" /\ now >= claim[o].sent + Lease
     \/ claim[o].state = "RELEASING" /\ now >= claim[o].deadline + Margin
  /\ claim' = [claim EXCEPT ![o].state = "RELEASED"]
  /\ Send(net)
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

AskToRenew(o) ==
  /\ \/ Valid(o)
     \/ Broken = "renew after release" /\ claim[o].state = "RELEASING"
  /\ ~Under("renew", o) /\ ~Under("renewed", o)
  /\ UNCHANGED claim
  /\ Send(net \cup {Renew(o, now)})
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* RELEASING comes before the release is sent, so no renewal follows it. *)
LetGo(o) ==
  /\ Valid(o)
  /\ claim' = [claim EXCEPT ![o].state = "RELEASING"]
  /\ Send(net \cup {Release(o, TRUE)})
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* The deadline has passed.  A client need not notice: Valid is false. *)
Expire(o) ==
  /\ claim[o].state = "HELD" /\ now >= claim[o].deadline
  /\ Broken # "revive"
  /\ claim' = [claim EXCEPT ![o].state = "LOST"]
  /\ Send(net)
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

-----------------------------------------------------------------------------
(* What a client does with a reply. *)

(* When a lease ends here: it counts from the moment the request was sent, *)
(* which is before the moment from which the store counts.                 *)
Deadline(at, length) ==
  IF Broken = "deadline from the reply" THEN now + length - Margin
  ELSE IF Broken = "no margin" THEN at + length
  ELSE at + length - Margin

ReceiveGranted(m) ==
  LET o == m.owner
      deadline == Deadline(m.at, m.length)
      current == m.at = claim[o].sent
      old == claim[o].replaces
      oldEnds == IF old = None THEN claim ELSE [claim EXCEPT ![old].state = "RELEASED"]
  IN CASE claim[o].state = "ASKING" /\ current /\ now < deadline ->
            /\ claim' = [oldEnds EXCEPT
                 ![o].state = "HELD", ![o].deadline = deadline, ![o].token = m.token,
                 ![o].answered = TRUE, ![o].replaces = None]
            /\ Send(net \ {m})
       [] claim[o].state = "ASKING" /\ current ->
            \* Too late: the lease may have ended.  It cannot be used.
            /\ claim' = [oldEnds EXCEPT
                 ![o].state = "RESOLVING", ![o].answered = TRUE, ![o].replaces = None]
            /\ Send((net \ {m}) \cup {Release(o, TRUE)})
       [] claim[o].state = "RESOLVING" /\ m.at = claim[o].sent ->
            \* The acquire is answered: from now on a release is final.
            /\ claim' = [claim EXCEPT ![o].answered = TRUE,
                 ![o].state = IF Broken = "revive" THEN "HELD" ELSE @,
                 ![o].deadline = IF Broken = "revive" THEN deadline ELSE @,
                 ![o].token = IF Broken = "revive" THEN m.token ELSE @]
            /\ Send(net \ {m})
       [] OTHER -> UNCHANGED claim /\ Send(net \ {m})

ReceiveBusy(m) ==
  LET o == m.owner
      old == claim[o].replaces
  IN CASE claim[o].state = "ASKING" /\ m.at = claim[o].sent ->
            claim' = [(IF old = None THEN claim ELSE [claim EXCEPT ![old].state = "RELEASED"])
                      EXCEPT ![o].state = "WAITING", ![o].answered = TRUE, ![o].replaces = None]
       [] claim[o].state = "RESOLVING" /\ m.at = claim[o].sent ->
            claim' = [claim EXCEPT ![o].answered = TRUE]
       [] OTHER -> UNCHANGED claim

ReceiveRenewed(m) ==
  LET o == m.owner
      later == Deadline(m.at, Lease)
  IN IF \/ Valid(o)
        \/ Broken = "revive" /\ claim[o].state = "HELD"
     THEN claim' = [claim EXCEPT ![o].deadline = Max(@, later)]
     ELSE UNCHANGED claim

ReceiveGone(m) ==
  IF claim[m.owner].state = "HELD"
  THEN claim' = [claim EXCEPT ![m.owner].state = "LOST"]
  ELSE UNCHANGED claim

(* "It was there" is final for the first acquire of a claim.  A claim that *)
(* was listed may have been granted meanwhile by a succession, and an      *)
(* acquire that is still under way would make it anew.                     *)
ReceiveReleased(m) ==
  LET o == m.owner
      final == m.settled \/ ~claim[o].again \/ Broken = "was there is final"
  IN CASE claim[o].state = "RELEASING" -> claim' = [claim EXCEPT ![o].state = "RELEASED"]
       [] claim[o].state = "RESOLVING" /\ final -> claim' = [claim EXCEPT ![o].state = "RELEASED"]
       [] OTHER -> UNCHANGED claim

(* "Not there" is final only if no acquire can arrive after it. *)
ReceiveAbsent(m) ==
  LET o == m.owner
      final == m.settled \/ Broken = "absent is final"
  IN CASE claim[o].state = "RELEASING" -> claim' = [claim EXCEPT ![o].state = "LOST"]
       [] claim[o].state = "RESOLVING" /\ final -> claim' = [claim EXCEPT ![o].state = "RELEASED"]
       [] OTHER -> UNCHANGED claim

Receive(m) ==
  /\ \/ m.verb = "granted" /\ ReceiveGranted(m)
     \/ m.verb = "busy" /\ ReceiveBusy(m) /\ Send(net \ {m})
     \/ m.verb = "renewed" /\ ReceiveRenewed(m) /\ Send(net \ {m})
     \/ m.verb = "gone" /\ ReceiveGone(m) /\ Send(net \ {m})
     \/ m.verb = "released" /\ ReceiveReleased(m) /\ Send(net \ {m})
     \/ m.verb = "absent" /\ ReceiveAbsent(m) /\ Send(net \ {m})
  /\ verb' = None
  /\ UNCHANGED <<now, store, written, repeats, crashes>>

(* Whoever was a holder once may have sent a write, which arrives now.  A  *)
(* guarded resource refuses a token lower than one that it has seen.       *)
WriteArrives(o) ==
  LET n == claim[o].name
  IN /\ Writes
     /\ claim[o].token # 0
     /\ claim[o].token >= written[n].token \/ Broken = "no fence"
     /\ written' = [written EXCEPT ![n] = [token |-> claim[o].token, owner |-> o]]
     /\ verb' = None
     /\ UNCHANGED <<now, store, claim, net, repeats, crashes>>

-----------------------------------------------------------------------------
(* What the store does with a request, in one step. *)

(* A token follows the clock, so that it grows though a counter is lost.   *)
(* In one tick there are fewer grants than numbers.                        *)
NextToken(s) ==
  IF Broken = "token not stored" THEN 1
  ELSE IF Broken = "counter alone" THEN s.token + 1
  ELSE Max(s.token + 1, now * (Cardinality(Owners) + 1))

Free(s) == s.holder = None \/ now >= s.until

(* A waiter that does not ask again for a while has left, or is dead. *)
Waiting(queue) == SelectSeq(queue, LAMBDA e : now < e.until)
Without(queue, o) == SelectSeq(queue, LAMBDA e : e.owner # o)
Listed(queue, o) == \E i \in 1 .. Len(queue) : queue[i].owner = o

Grant(s, o, length) ==
  [s EXCEPT !.holder = o, !.until = now + length, !.token = NextToken(s),
            !.queue = Without(@, o)]

(* Ends a claim.  Where somebody waits, the release grants the name to the *)
(* first, for a moment.  That one learns it when it asks again: a wake is  *)
(* no more than an occasion to ask.                                        *)
Ending(s, o) ==
  IF s.holder # o \/ now >= s.until
  THEN [s EXCEPT !.queue = Without(@, o), !.holder = IF @ = o THEN None ELSE @]
  ELSE IF Waiting(s.queue) = <<>> THEN [s EXCEPT !.holder = None]
  ELSE Grant(s, Head(Waiting(s.queue)).owner, Provisional)

Acquired(s, m) ==
  LET o == m.owner
      t == IF m.old = None THEN s ELSE Ending(s, m.old)
      queue == Waiting(t.queue)
      isFirst == queue = <<>> \/ Head(queue).owner = o
      grant == Grant(t, o, Lease)
      place == [owner |-> o, at |-> m.at, until |-> now + Lease]
      listed == IF Listed(queue, o)
                THEN [i \in 1 .. Len(queue) |-> IF queue[i].owner = o THEN place ELSE queue[i]]
                ELSE Append(queue, place)
  IN IF t.holder = o /\ ~Free(t)
     THEN [state |-> [t EXCEPT !.until = Max(@, now + Lease)],
           told |-> {Granted(o, m.at, t.token, Lease)}]
     ELSE IF \/ Free(t) /\ isFirst
             \/ Broken = "no exclusion"
     THEN [state |-> grant, told |-> {Granted(o, m.at, grant.token, Lease)}]
     ELSE [state |-> [t EXCEPT !.queue = listed, !.holder = IF Free(t) THEN None ELSE @],
           told |-> {Busy(o, m.at)}]

Execute(m, again) ==
  LET o == m.owner
      n == claim[o].name
      s == store[n]
      held == s.holder = o /\ ~Free(s)
      outcome ==
        CASE m.verb = "acquire" -> Acquired(s, m)
          [] m.verb = "renew" ->
               IF held \/ Broken = "renewal brings back"
               THEN [state |-> [s EXCEPT !.holder = o, !.until = Max(@, now + Lease)],
                     told |-> {Renewed(o, m.at)}]
               ELSE [state |-> s, told |-> {Gone(o)}]
          [] m.verb = "release" ->
               LET end == IF Broken = "release of another" THEN Ending(s, s.holder) ELSE Ending(s, o)
               IN [state |-> end,
                   told |-> IF held THEN {Released(o, m.settled)} ELSE {Absent(o, m.settled)}]
      rest == IF again THEN net ELSE net \ {m}
  IN /\ m \in Requests
     /\ again => repeats < Repeats
     /\ repeats' = IF again THEN repeats + 1 ELSE repeats
     /\ store' = [store EXCEPT ![n] = outcome.state]
     /\ UNCHANGED claim
     /\ Send(rest \cup outcome.told)
     /\ verb' = m
     /\ UNCHANGED <<now, written, crashes>>

(* The store restarts without its claims and its counters, and takes a     *)
(* moment for it.                                                          *)
Crash ==
  /\ crashes < Crashes
  /\ now < Horizon
  /\ crashes' = crashes + 1
  /\ now' = now + 1
  /\ store' = [n \in Names |-> [holder |-> None, until |-> 0, queue |-> <<>>, token |-> 0]]
  /\ verb' = None
  /\ UNCHANGED <<claim, net, written, repeats>>

Tick ==
  /\ now < Horizon
  /\ now' = now + 1
  /\ verb' = None
  /\ UNCHANGED <<store, claim, net, written, repeats, crashes>>

Next ==
  \/ \E o \in Owners :
       \/ \E n \in Names : Ask(o, n)
       \/ \E next \in Owners : Replace(o, next)
       \/ AskAgain(o) \/ GiveUp(o) \/ ReleaseAgain(o) \/ Settle(o)
       \/ AskToRenew(o) \/ LetGo(o) \/ Expire(o) \/ WriteArrives(o)
  \/ \E m \in net : Receive(m) \/ Execute(m, FALSE) \/ Execute(m, TRUE)
  \/ Crash
  \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What of a state decides what can follow.  Two states with the same      *)
(* essence can go the same ways, so the large models look at one of them.  *)
(* It leaves out, in the protocol in which nothing is broken:              *)
(*   - that a lease is over and its client has not noticed: it does nothing *)
(*     with it any more;                                                   *)
(*   - what a client has remembered of a claim and never looks at again;   *)
(*   - a holder and waiters in the store whose time is over: every request *)
(*     treats them as if they were not there;                              *)
(*   - requests of a claim that has ended, that the store does not have,   *)
(*     and that no acquire can bring back: they change nothing, and nobody *)
(*     looks at the replies.                                               *)
Essence ==
  LET known == [o \in Owners |->
        LET c == claim[o]
            isOver == c.state = "HELD" /\ now >= c.deadline
        IN CASE c.state = "LOST" \/ isOver ->
                  [NewClaim EXCEPT !.state = "LOST", !.name = c.name, !.token = c.token]
             [] c.state = "RELEASED" ->
                  [NewClaim EXCEPT !.state = "RELEASED", !.name = c.name, !.token = c.token,
                                   !.sent = IF now >= c.sent + Lease THEN 0 ELSE c.sent]
             [] c.state \in {"HELD", "RELEASING"} ->
                  [c EXCEPT !.answered = FALSE, !.again = FALSE, !.replaces = None]
             [] c.state = "RESOLVING" -> [c EXCEPT !.replaces = None]
             [] OTHER -> c]
      kept == [n \in Names |->
        LET s == store[n]
        IN [holder |-> IF Free(s) THEN None ELSE s.holder, until |-> IF Free(s) THEN 0 ELSE s.until,
            queue |-> Waiting(s.queue), token |-> s.token]]
      IsGone(o) ==
        /\ known[o].state \in Ended
        /\ ~Under("acquire", o)
        /\ kept[claim[o].name].holder # o
        /\ ~Listed(kept[claim[o].name].queue, o)
      heeded == {m \in Heeded(net, known) : ~IsGone(m.owner)}
  IN <<now, kept, known, heeded, written, repeats, crashes>>

-----------------------------------------------------------------------------
(* What holds.  The numbers are those of README.md beside it.              *)

(* I1 A guarded resource never accepts two owners under one token, nor a   *)
(* lower token after a higher one.                                         *)
TokenOrder ==
  [][\A n \in Names :
       /\ written'[n].token >= written[n].token
       /\ written'[n].token = written[n].token /\ written[n].owner # None
            => written'[n].owner = written[n].owner]_written

(* I2 Two claims to a name are never valid at once, unless the store has   *)
(* lost what it knew.                                                      *)
Exclusion ==
  crashes = 0 =>
    \A a, b \in Owners :
      Valid(a) /\ Valid(b) /\ claim[a].name = claim[b].name => a = b

(* Why I2 holds: whoever is valid is the holder in the store, too, and for *)
(* longer than here.                                                       *)
HeldInTheStore ==
  crashes = 0 =>
    \A o \in Owners : Valid(o) =>
      LET s == store[claim[o].name]
      IN s.holder = o /\ s.until >= claim[o].deadline + Margin

(* I3 No two claims to a name have one token. *)
UniqueTokens ==
  \A a, b \in Owners :
    /\ a # b /\ claim[a].name = claim[b].name
    /\ claim[a].token # 0
    => claim[a].token # claim[b].token

(* I3 A grant has a token above all that were granted before. *)
GrowingTokens ==
  [][\A n \in Names :
       store'[n].holder # store[n].holder /\ store'[n].holder # None =>
         \A o \in Owners : claim[o].name = n => store'[n].token > claim[o].token]_store

(* I4 A valid holder is not refused by the resource. *)
NotRefused ==
  crashes = 0 =>
    \A o \in Owners : Valid(o) => claim[o].token >= written[claim[o].name].token

(* Why I1 and I4 hold: nobody has a token above that of a valid holder, so *)
(* a resource that takes tokens in order has seen none.  With UniqueTokens *)
(* it is all that a model without writes needs to show.                    *)
NotOvertaken ==
  crashes = 0 =>
    \A a, b \in Owners :
      Valid(a) /\ claim[a].name = claim[b].name => claim[b].token <= claim[a].token

(* I6 When a claim is let go, no message of it is under way, and no other  *)
(* release of it will follow, then the store has nothing of it, or forgets *)
(* it within a lease.                                                      *)
NothingLeft ==
  \A o \in Owners :
    /\ claim[o].state \in {"RELEASED", "RELEASING", "RESOLVING"}
    /\ ~(\E m \in net : m.owner = o \/ (m.verb = "acquire" /\ m.old = o))
    /\ ~MayReleaseAgain(o)
    =>
      LET s == store[claim[o].name]
          late == now >= claim[o].sent + Lease
      IN repeats = 0 =>
           /\ Listed(Waiting(s.queue), o) => late
           /\ s.holder = o /\ now < s.until => late

(* I7 Nothing leads back from the end of a claim, and none that is being   *)
(* released is held again.                                                 *)
NoRevival ==
  [][\A o \in Owners :
       /\ claim[o].state \in Ended => claim'[o].state = claim[o].state
       /\ claim[o].state \in {"RELEASING", "RESOLVING"} => claim'[o].state # "HELD"]_claim

(* I7 Nobody asks for more time who does not hold.                         *)
RenewedWhileHeld ==
  [][\A m \in net' \ net : m.verb = "renew" => Valid(m.owner)]_net

(* I8 Nobody but its owner ends a claim whose lease runs. *)
OnlyTheOwner ==
  [][\A n \in Names :
       LET o == store[n].holder
       IN o # None /\ ~Free(store[n]) /\ store'[n].holder # o /\ crashes' = crashes =>
            /\ verb' # None
            /\ \/ verb'.owner = o
               \/ verb'.verb = "acquire" /\ verb'.old = o]_store

=============================================================================
