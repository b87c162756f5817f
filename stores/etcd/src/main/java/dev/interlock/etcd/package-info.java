/**
 * The etcd store. Begin with {@link dev.interlock.etcd.EtcdStore}.
 *
 * <pre>
 *   EtcdStore ---> Claims        verbs on the claims of this client; each is a LocalClaim
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
 * The keys, and what the store promises, are described in docs/etcd.md.
 */
@NullMarked
package dev.interlock.etcd;

import org.jspecify.annotations.NullMarked;
