// SPDX-License-Identifier: GPL-2.0-or-later
// System calls by which threads hand something over are told as operations of synchronisation, ChannelSend and
// ChannelReceive: the kernel makes what was sent known to who receives it. So of pipes, FIFOs, sockets, eventfds; of
// what an epoll is told, who connects, signals sent, semaphores of System V; and of signal actions, which the handler
// receives, as it does signals; of queues of messages, datagrams to an address, locks of files
// (locked_files.h). Who is told that something can be read, or awaits a signal, receives when the call ends.
//
// A channel is told by what its descriptor is (device and inode, names of a connection), never by the number of the
// descriptor; but eventfds, epolls and signalfds, which share one inode. Channels are numbered as they are made.
// Descriptors from outside are none: who is at the other end is not in this process.
#ifndef CDRGRIND_TOOL_CHANNELS_H
#define CDRGRIND_TOOL_CHANNELS_H

#include <cstdint>

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// Around a system call of the thread, which is at an instruction boundary.
void channel_call_begins(::ThreadId tid, UInt number, const UWord* args);
// Before anything of its end is recorded: what is recorded then is of one turn, with --cdr-test-switch, too.
void channel_call_returns(::ThreadId tid);
// `result`: what the call returned, an error as its negative number.
void channel_call_ends(::ThreadId tid, UInt number, const UWord* args, int64_t result);
// Whether the thread is in a call that sends.
bool sends_by_channel(::ThreadId tid);
// In a forked child: the calls of the threads that are gone.
void forget_other_channel_calls(::ThreadId tid);

}  // namespace cdr::tool

#endif
