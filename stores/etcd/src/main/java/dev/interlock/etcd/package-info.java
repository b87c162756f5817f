/**
 * The etcd store. Begin with {@link dev.interlock.etcd.EtcdStore}.
 *
 * <pre>
 *   EtcdStore ---> Claims        verbs on the claims of this client; each is a LocalClaim: a SessionClaim and its key
 *       |            |
 *       |            +---> Session      the lease of etcd that they are bound to
 *       |            +---> Watch        wakes one that waits
 *       |            '---> Queue        the claims of a name, of Entry: who holds, and what is in whose way
 *       +--------> StateChange   capacities and counts
 *       +--------> Catalog       who holds and waits, for people
 *       +--------> Diagnosis     what is wrong with the servers, for people
 *       '--------> Etcd          requests by jetcd, of Keys and Operations
 * </pre>
 *
 * docs/internals/etcd-format.md describes the keys, docs/etcd.md what the store promises.
 */
@NullMarked
package dev.interlock.etcd;

import org.jspecify.annotations.NullMarked;
