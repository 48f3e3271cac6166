//! The server from which others fetch an executor's results: Ballista's own, on a listener that is
//! bound before the port is published; it counts the bytes that it sends.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::error::BallistaError;
use ballista_core::utils::{GrpcServerConfig, create_grpc_server};
use ballista_executor::ArrowFlightServerProvider;
use ballista_executor::flight_service::BallistaFlightService;
use ballista_executor::shutdown::Shutdown;
use futures::stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tonic::transport::server::{Connected, TcpConnectInfo};

/// Bytes that went out.
pub type Counter = Arc<AtomicU64>;

/// The server on `listener`, for `ExecutorProcessConfig::override_arrow_flight_service`.
pub fn provider(listener: TcpListener, sent: Counter) -> Arc<ArrowFlightServerProvider> {
    // The provider is called once; its type allows more.
    let listener = Mutex::new(Some(listener));
    Arc::new(
        move |folder: String, _: SocketAddr, mut shutdown: Shutdown, config: GrpcServerConfig| {
            let listener = listener.lock().expect("nothing panics with the lock").take();
            let sent = sent.clone();
            tokio::spawn(async move {
                let listener = listener
                    .ok_or_else(|| BallistaError::General("the server is started twice".into()))?;
                let connections = stream::unfold((listener, sent), async |(listener, sent)| {
                    let connection = listener.accept().await.and_then(|(stream, _)| {
                        stream.set_nodelay(true)?;
                        Ok(Counted { stream, sent: sent.clone() })
                    });
                    Some((connection, (listener, sent)))
                });
                create_grpc_server(&config)
                    .add_service(FlightServiceServer::new(BallistaFlightService::new(folder)))
                    .serve_with_incoming_shutdown(connections, shutdown.recv())
                    .await
                    .map_err(BallistaError::TonicError)
            })
        },
    )
}

/// A connection that counts the bytes it sends.
struct Counted {
    stream: TcpStream,
    sent: Counter,
}

impl Connected for Counted {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl Counted {
    fn count(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = written {
            self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        written
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.count(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
