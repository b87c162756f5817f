/**
 * Guards that refuse a late writer by its fencing token. The guarded service needs this module alone, and no client of
 * a store.
 */
module dev.interlock.fence {
    requires static org.jspecify;

    exports dev.interlock.fence;
}
